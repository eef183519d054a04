/** A secret that only one account of the computer can read, for as long as the challenge lasts. */
export type Challenge = {
  path: string
  secret: string
  remove(): Promise<void>
}

/** Where the users of the computer reach the agent, and how the agent knows who they are. */
export type UserChannel = {
  /**
   * The state folder of the agent of this computer if this process belongs to a user who may not use it; otherwise undefined.
   * Such a user reaches the agent through this channel alone.
   */
  findForeignState(): string | undefined
  /** Prepares the place at which the agent listens. Refuses one that others can change. */
  prepare(stateFolder: string): Promise<void>
  /** The address is valid until `use` is done. */
  withAddress<T>(stateFolder: string, use: (address: string) => Promise<T>): Promise<T>
  /** The account of this process, as `challenge` takes it. */
  ownAccount(): string
  /**
   * Writes a secret that this account can read, and no other ordinary user. Who returns the secret is that account: what else the
   * peer says about itself proves nothing. Throws for an account that cannot exist.
   */
  challenge(stateFolder: string, account: string): Promise<Challenge>
  /** The name of an account, for people. */
  nameOf(account: string): Promise<string>
  /** Opens a file in the browser of the user who runs this process. Returns whether there is one. */
  openInBrowser(file: string): Promise<boolean>
}
