"""OpenCode: what its plugin tells, and the runs that it keeps."""
