/**
 * Redis knows nothing of the process that started it, so a small shell beside it waits for that process to be gone (the pipe
 * between them closes, whatever the reason) and then ends the server. It asks before what the process id stands for by now.
 */
import { spawn } from 'node:child_process';

/** $0: process id, $1: port, $2: seconds to wait. */
const SCRIPT = `
cat >/dev/null
sleep "$2"
if [ -r "/proc/$0/cmdline" ]; then command=$(tr '\\0' ' ' <"/proc/$0/cmdline"); else command=$(ps -o args= -p "$0"); fi
case "$command" in *-server*[!0-9]"$1"*) kill -TERM "$0" ;; esac
`;

/** Returns what calls the watchdog off. */
export function watchOver(pid: number, port: number, graceSeconds: number): () => void {
  const watchdog = spawn('sh', ['-c', SCRIPT, String(pid), String(port), String(graceSeconds)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell (Windows) there is none; a pipe that breaks is one whose reader was called off.
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return () => {
    // The shell first, so that it does not go on when what it waits in sees the pipe close.
    watchdog.kill('SIGKILL');
    watchdog.stdin.destroy();
  };
}
