/** The texts about packages of winget manifests. */
export const enWinget = {
  open: 'From winget',
  title: 'Add a package of a winget manifest',
  search: 'Package identifier',
  searchHint: 'At least two characters, such as 7zip. Searches the mirror of manifests in the package store.',
  results: 'Packages found',
  found: (identifier: string, version: string) => `${identifier} ${version}`,
  nothingFound: 'No package has such an identifier.',
  incomplete: 'There are more packages than are listed. Type more of the identifier.',
  noMirror:
    'The package store has no mirror of winget manifests. You can also drop the files of a manifest on this page.',
  version: 'Version',
  architecture: 'Architecture',
  other: 'Choose another package',
  needsPerson: 'No installer of this manifest becomes a package by itself.',
  rest: (architecture: string, type: string, text: string) => `${architecture} ${type}: ${text}`,
  fromUpload: (name: string) => `The uploaded file ${name} is the one that the manifest describes.`,
  fromVendor: (host: string) => `The service downloads the installer from ${host} and checks its hash.`,
  missingFile: (name: string) =>
    `Upload the file ${name} first: drop it on this page. It is recognised by its hash, whatever its name is.`,
  describe: (name: string) => `Makes the package ${name}. No computer gets it before it is released.`,
  started: 'The import has started.',
}
