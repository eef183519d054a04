/** The texts of the form for packages from repositories. */
export const enRepositoryPackages = {
  open: 'From a repository',
  title: 'Add a package from a repository',
  package: 'Package',
  packageHint: 'deb: or rpm:, and the name of the package in the repositories, such as deb:nginx.',
  policy: 'Version',
  policies: { latest: 'The newest', atLeast: 'At least', exact: 'Exactly' },
  version: 'Version number',
  keepVersion: 'Keep this version',
  keepVersionHint: 'Other updates of the computer do not change it.',
  allowDowngrade: 'Allow a downgrade',
  allowDowngradeHint: 'A newer version on a computer is replaced.',
  repository: 'Repository (optional)',
  repositoryHint: 'Address with https, added to the repositories of the computer.',
  suite: 'Suite and components',
  suiteHint: 'For deb, such as: stable main. Only ./ for a repository without suites.',
  key: 'Public key of the repository',
  keyHint: 'The text of the key that signs the repository. Nothing else from it is installed.',
  describe: (name: string) =>
    `Makes a package that the package manager of each computer installs: ${name}. No computer gets it before you release it.`,
  submit: 'Add',
  started: 'The package is being added.',
}
