// sulcus-panel hook: a plugin that tells Sulcus Panel what OpenCode's tools do. It changes nothing and prints nothing.
// Each event starts the same small program that other harnesses start, and waits for it at most five seconds, so
// that the file is seen before the tool writes it. Written by `sulcus-panel hooks install opencode`.
import { spawn } from "node:child_process";

const ARGV = /* the hook */ [];
const ONLY_LOOKS = new Set(["grep", "glob", "list", "ls", "todowrite", "todoread", "webfetch", "websearch", "task"]);

const tell = (event) =>
  new Promise((resolve) => {
    try {
      const child = spawn(ARGV[0], ARGV.slice(1), { stdio: ["pipe", "ignore", "ignore"], windowsHide: true });
      const timer = setTimeout(() => {
        child.kill();
        resolve();
      }, 5000);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      child.on("error", done);
      child.on("close", done);
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(event));
    } catch {
      resolve();
    }
  });

export const SulcusPanel = async ({ directory, worktree } = {}) => {
  const failed = new Set();
  const models = new Map(); // of each session, by its last message: no event of a tool tells which model calls it
  const common = (name, session) => ({
    hook_event_name: name,
    session_id: session ?? "",
    cwd: directory ?? "",
    worktree: worktree ?? "",
    ...(models.has(session) ? { model: models.get(session) } : {}),
  });
  return {
    "tool.execute.before": async (input, output) => {
      if (ONLY_LOOKS.has(input?.tool) || input?.tool === "read") return;
      await tell({
        ...common("tool.execute.before", input?.sessionID),
        tool_name: input?.tool,
        tool_use_id: input?.callID,
        tool_input: output?.args,
      });
    },
    "tool.execute.after": async (input, output) => {
      if (ONLY_LOOKS.has(input?.tool)) return;
      await tell({
        ...common("tool.execute.after", input?.sessionID),
        tool_name: input?.tool,
        tool_use_id: input?.callID,
        tool_input: input?.args,
        tool_response: { title: output?.title, output: output?.output, metadata: output?.metadata },
      });
    },
    "chat.message": async (input, output) => {
      const model = (output?.message?.model ?? input?.model)?.modelID;
      if (typeof model === "string") models.set(input?.sessionID, model);
      const texts = (output?.parts ?? []).filter((part) => part?.type === "text" && !part.synthetic);
      await tell({
        ...common("chat.message", input?.sessionID),
        message_id: output?.message?.id ?? input?.messageID ?? "",
        prompt: texts.map((part) => part.text).join("\n"),
      });
    },
    event: async ({ event } = {}) => {
      const told = event?.properties ?? {};
      if (event?.type === "session.created" || event?.type === "session.deleted") {
        await tell({ ...common(event.type, told.info?.id), parent_id: told.info?.parentID ?? "" });
        if (event.type === "session.deleted") models.delete(told.info?.id);
      } else if (event?.type === "session.idle") {
        await tell(common(event.type, told.sessionID));
      } else if (event?.type === "message.part.updated") {
        const part = told.part ?? {};
        if (part.type !== "tool" || part.state?.status !== "error" || failed.has(part.callID)) return;
        if (ONLY_LOOKS.has(part.tool) || part.tool === "read") return;
        failed.add(part.callID);
        await tell({
          ...common("tool.execute.error", part.sessionID),
          tool_name: part.tool,
          tool_use_id: part.callID,
          tool_input: part.state.input,
          error: String(part.state.error ?? ""),
        });
      }
    },
  };
};
