/** A registry key. `view` is always stated: 32-bit and 64-bit programs see different parts of the registry. */
export type RegistryQuery = {
  hive: 'HKLM' | 'HKU'
  key: string
  /** The name of a value; null for the key itself, and '' for its default value. */
  value: string | null
  view: '32' | '64'
}

/** A program that Windows lists as installed for all users. */
export type ListedProgram = {
  /** The name of its key, such as the product code of an MSI file. */
  id: string
  name: string
  publisher: string
  version: string
  /** Command lines for the removal, as the program has registered them; '' if it has not. */
  uninstall: string
  quietUninstall: string
}

/**
 * How declared detections are answered. A function that is absent is a form that this platform cannot answer: the result of
 * the work says so. Each returns undefined if what is looked for does not exist, and throws if that cannot be determined.
 */
export type Detection = {
  /** The value as text, numbers in decimals; '' for a key that exists, if no value was asked for. */
  registryValue?(query: RegistryQuery): Promise<string | undefined>
  /** The version resource of a file. Undefined if there is no such file, and '' if it has no version. */
  fileVersion?(path: string): Promise<string | undefined>
  /** The version of an installed MSI product. */
  msiProductVersion?(productCode: string): Promise<string | undefined>
  /** The product code and version that an MSI file would install. */
  readMsiFile?(path: string): Promise<{ productCode: string; version: string }>
  /** The version of an installed package of the distribution. */
  dpkgVersion?(name: string): Promise<string | undefined>
  /** Negative if the first is older, by the rules of the distribution. */
  compareDpkgVersions?(one: string, other: string): Promise<number>
  /** The same for rpm: epoch, version and release. */
  rpmVersion?(name: string): Promise<string | undefined>
  /** What the second does not state, an epoch or a release, is not compared. */
  compareRpmVersions?(one: string, other: string): number
  /** The programs that are installed for all users, of all architectures. */
  listPrograms?(): Promise<ListedProgram[]>
  /** Replaces environment variables in the way of the platform, such as %ProgramFiles%. What they contain is not replaced again. */
  expandVariables(text: string, environment?: NodeJS.ProcessEnv): string
}
