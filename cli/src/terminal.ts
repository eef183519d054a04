import type { AnswerLimits, Send } from '@muster/client'

/** What a command knows of the process that runs it. Tests replace it. */
export type Terminal = {
  /** Writes results to the standard output. */
  write(content: string | Uint8Array): void
  /** Writes progress, hints and errors to the standard error output. */
  note(text: string): void
  /** Replaces the last line of the standard error output. */
  redraw(line: string): void
  /** Whether a person reads the standard output. */
  isTerminal: boolean
  /** Whether a person reads the standard error output. */
  showsProgress: boolean
  /** Columns of the terminal. */
  width: number
  /** The whole standard input. */
  readInput(): Promise<string>
  /** Asks for a text. Undefined if nobody can answer. */
  ask: ((question: string) => Promise<string>) | undefined
  /** Asks for a text that is not shown. Undefined if nobody can answer. */
  askSecret: ((question: string) => Promise<string>) | undefined
  /** Opens an address in the browser of the person. */
  openBrowser(address: string): void
  environment: Record<string, string | undefined>
  /** Sends requests to the service. */
  send: Send
  /** Limits of answers; those of the client by default. */
  limits?: Partial<AnswerLimits>
  /** Ends a command that follows something. */
  signal: AbortSignal
}
