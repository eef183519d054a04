const powerActions = ['Reboot', 'Shutdown', 'LogOff'] as const
export type PowerAction = (typeof powerActions)[number]

/** The power action of a work item; undefined if it has none, or one that agents do not know. */
export function findPowerAction(power: { action: string } | null): PowerAction | undefined {
  return powerActions.find((one) => one === power?.action)
}

export type Power = {
  /** How results and the log state what is done. */
  describe(action: PowerAction): string
  /** Returns an exit code: 0 if the system has accepted the action. */
  perform(action: PowerAction): Promise<number | null>
}

/** A question whose answers have labels where the platform can show them; elsewhere they are yes for later and no for now. */
export type Question = { text: string; later: string; now: string }
export type UserAnswer = 'Later' | 'Now'
/** What a user has answered. The platform knows who was asked, which is not always the first user who is logged on. */
export type Answered = { answer: UserAnswer; user: string }

export type Users = {
  /** The first user who is logged on; null if nobody is. */
  loggedOn(): Promise<string | null>
  /** Shows a message to everybody who is logged on. Work continues even if nobody can see it. */
  notify(message: string): void
  /**
   * Asks the user of this computer whether to postpone something. Null: no answer within the time limit, or not exactly one user.
   * Absent where users cannot be asked.
   */
  askToPostpone?(question: Question, limitMs: number): Promise<Answered | null>
  /** The language in which users read messages, such as `de`. Several users get that of the first one. */
  language(): Promise<string>
  /** Whether a user must not be disturbed now: a presentation or another full-screen program. */
  isPresenting(): Promise<boolean>
}

export type SystemState = {
  /** Changes with every start of the system. */
  bootId(): string
  bootTime(): Promise<Date>
  /** Why the system itself requires a restart; null if it does not. */
  findRebootSource(): Promise<string | null>
}

/** What the log of the service marks for people and programs that watch it, where the system has such marks. */
export type LogEvent =
  | 'Started'
  | 'Stopped'
  | 'StartFailed'
  | 'Enrolled'
  | 'ContactLost'
  | 'ContactRestored'
  | 'WorkFailed'
  | 'UpdateTakenBack'
  | 'ConfigurationRefused'
  | 'ConfigurationUnused'

/** How the service manager of the system and the agent speak to each other. */
export type Service = {
  /**
   * Calls `stop` with a reason whenever the agent is to stop, for example a signal. Returns a function that ends this,
   * after which the service manager sees that the agent has stopped.
   */
  onStop(stop: (reason: string) => void): () => void
  /** Writes a line to the log of the service. */
  log(line: string, event?: LogEvent): void
}
