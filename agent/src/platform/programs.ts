/** A program that a person runs. Identifies the process in a way that survives the reuse of its id. */
export type UserProgram = {
  /** As it was asked for. */
  name: string
  pid: number
  /** When the process started, in a unit of the platform. */
  startTicks: string
}

/** The programs of the people who use this computer. Services of the system are never among them. */
export type UserPrograms = {
  /** The programs with exactly these names. */
  list(names: readonly string[]): Promise<UserProgram[]>
  /** `ask` lets the program clean up; does nothing if the process has ended. */
  end(program: UserProgram, how: 'ask' | 'kill'): Promise<void>
}
