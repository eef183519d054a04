/** What differs between the tools. */
export type RpmTool = {
  name: string
  /** Where the tool looks for files of repositories. */
  repositories: string
  /** Lines for the file of a repository that only this tool knows. */
  repositoryLines: readonly string[]
  /** Throws if it fails. Returns whether a restart must follow. */
  change(how: RpmChange, name: string, version: string | undefined): Promise<boolean>
  isLocked(name: string): Promise<boolean>
  setLock(name: string, keepVersion: boolean): Promise<void>
}
export type RpmChange = 'install' | 'upgrade' | 'downgrade' | 'remove'
