/** Identifies a process in a way that survives the reuse of its id. It is stored, and compared with `===`. */
export type CommandProcess = {
  pid: number
  /** When the process started, in a unit of the platform. */
  startTicks: string
  bootId: string
  /** What ends the whole tree after a restart of the agent, if the process id is not enough: the name of a job object. */
  group?: string
}

/** A program of the operating system that splits its command line by rules of its own: it gets `line` as it is. */
export type SystemCommand = { name: string; line: string }

export type CommandStart = {
  /** Exactly one of these: words, a line for the shell of the platform, or a program of the platform. */
  argv?: readonly string[] | undefined
  shell?: string | undefined
  system?: SystemCommand | undefined
  folder: string
  environment: NodeJS.ProcessEnv
  onOutput(chunk: Buffer): void
}

export type ProcessExit = { exitCode: number | null; signal: NodeJS.Signals | null }

/**
 * A process that exists and has not begun its command yet. So the agent can store which process it is, and no command runs
 * that the journal does not know. If the agent dies before `begin`, the command never runs.
 */
export type GatedProcess = {
  process: CommandProcess
  begin(): void
  /** Ends the process instead. */
  abandon(): Promise<void>
  /** The end of the command itself. Services that it has started may continue. */
  exited: Promise<ProcessExit>
  /** Waits for the end of the output, but only for a moment: a service that the command started may keep it open. */
  finishOutput(): Promise<void>
}

export type Processes = {
  /** Throws if the command cannot be started. */
  start(start: CommandStart): Promise<GatedProcess>
  /** Whether the command itself is still running. */
  isAlive(process: CommandProcess): Promise<boolean>
  /**
   * Ends the process and everything it has started; does nothing if nothing of it exists. `ask` lets programs clean up, if
   * the platform can ask at all; `kill` follows a few seconds later.
   */
  endTree(process: CommandProcess, how: 'ask' | 'kill'): void
  /**
   * Why the shell of the platform would take parts of a value for commands when it runs these lines, as the end of a sentence
   * about them; undefined if it would not. Absent where no shell does that.
   */
  findShellFault?(lines: string): string | undefined
  /** Runs a line in the shell of the platform, with the output of the agent, and returns its exit code. */
  runShell(line: string, environment: NodeJS.ProcessEnv): Promise<number | null>
}
