/** What survives a crash of the computer, and who may read it. */
export type Files = {
  /** Gives a file the name of another, atomically: after a crash, the name leads to the old or to the new file. */
  replace(fresh: string, path: string): Promise<void>
  /** Makes the names in a folder survive a crash of the computer. */
  syncFolder(path: string): Promise<void>
  /** Creates a folder, with those above it, that only the agent and administrators can read. An existing one becomes so. */
  makePrivateFolder(path: string): Promise<void>
}

/** The address at which the agent on a state folder listens: it shows that an agent runs there. */
export type SingleInstance = {
  /** The address is valid until `use` is done. */
  withAddress<T>(stateFolder: string, use: (address: string) => Promise<T>): Promise<T>
  /** Removes what a killed agent has left at the address, if that prevents another from listening there. */
  removeStale(address: string): Promise<void>
}
