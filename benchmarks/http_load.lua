-- The load of benchmarks/http.py: records of 120 sessions in four namespaces; every acknowledged seq_id is written down.
-- wrk -s http_load.lua URL -- KEY FILE PAUSE_MS

local sent = 0
local file
local pause

function init(args)
  wrk.method = "POST"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  wrk.headers["Content-Type"] = "application/json"
  file = io.open(args[2], "w")
  pause = tonumber(args[3])
end

function delay()
  return pause
end

function request()
  sent = sent + 1
  local text = string.format(
    '{"namespace":"load-%d","session_id":"session-%d","harness":"codex","action_type":"file_edit",' ..
    '"tool_name":"apply_patch","target_path":"src/module_%d.py","summary":"change %d",' ..
    '"pre_state":{"existed":true,"content":"def answer():\\n    return %d\\n"},' ..
    '"post_state":{"existed":true,"content":"def answer():\\n    return %d\\n"},' ..
    '"diff_hunks":[{"start_line":2,"target_excerpt":"    return %d","replacement_excerpt":"    return %d"}]}',
    sent % 4, sent % 120, sent % 50, sent, sent, sent + 1, sent, sent + 1)
  return wrk.format(nil, "/api/v1/agent/ledger/record", nil, text)
end

function response(status, _, body)
  local id = status == 201 and string.match(body, '"seq_id":(%d+)')
  file:write(id or ("status " .. status), "\n")
end

function done(summary, latency)
  io.write(string.format('{"requests": %d, "seconds": %f, "p50_ms": %f, "p99_ms": %f, "max_ms": %f}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    latency.max / 1e3))
end
