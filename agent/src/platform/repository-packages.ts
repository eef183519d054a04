/** A package of the repositories of a distribution, whose names and versions have been checked. */
export type RepositoryPackage = {
  family: RepositoryFamily
  name: string
  /** At most one of these; without them, the newest version that the repositories have. */
  version?: string
  minVersion?: string
  repository?: Repository
  /** Undefined: a lock on the computer is respected. */
  keepVersion?: boolean
  allowDowngrade: boolean
}

export type RepositoryFamily = 'deb' | 'rpm'

/** `suite` and `components` are those of deb; a suite that ends with a slash has no components. */
export type Repository = { url: string; suite?: string; components?: string[]; key: string }

/**
 * How packages of repositories are installed, with the tools of the distribution. Both changes print what the tools print, and
 * throw an ExpectedError that says why the package was not changed.
 */
export type RepositoryPackages = {
  /** Why this computer has no packages of a family, as a clause; undefined if it has. */
  findObstacle(family: RepositoryFamily): Promise<string | undefined>
  /** Also replaces another version. Returns whether a restart must follow. */
  install(wanted: RepositoryPackage): Promise<{ rebootRequired: boolean }>
  remove(wanted: RepositoryPackage): Promise<void>
}
