/** The program file of the agent, and how its launcher chooses between versions of it. */
export type Program = {
  /** The name of the archive with the program for this computer, in a folder with those of all platforms. */
  archiveName: string
  /** Extracts the program into the folder and returns its path. The program is on the disk then. */
  extract(archive: string, folder: string): Promise<string>
  /**
   * A pointer names the folder of a version, for the launcher: a link, or a file. A pointer is always replaced as a whole.
   * Returns undefined if there is no such pointer.
   */
  readPointer(path: string): Promise<string | undefined>
  writePointer(path: string, folder: string): Promise<void>
  /** Renames a pointer, in place of one that exists. */
  movePointer(from: string, to: string): Promise<void>
}
