import type { Schemas } from '../api/client.ts'

/** Why an installer needs a person. A later service may know more reasons, and says them itself. */
type Reasons = Record<Schemas['WingetReason'], string>

const reasons: Reasons = {
  userScope: 'It installs for one user, and the agent runs as the system account.',
  installerType: 'Installers of this type are not converted.',
  architecture: 'It has no known architecture.',
  noSilence: 'The manifest has no switches with which it asks no questions.',
  interactive: 'The manifest says that it only runs with a person.',
  elevationProhibited: 'The manifest says that it must not run as an administrator.',
  switches: 'Its switches have characters that a shell would read differently.',
  nestedFile: 'The path of the installer in the archive is missing or not safe.',
  noFile: 'The manifest has no valid address or no SHA-256 of the file.',
  noProgram: 'The manifest does not say under which name Windows lists the program.',
  invalid: 'Its values are not valid in a manifest of Muster.',
}

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
  reasons,
  fromUpload: (name: string) => `The uploaded file ${name} is the one that the manifest describes.`,
  fromVendor: (host: string) => `The service downloads the installer from ${host} and checks its hash.`,
  missingFile: (name: string) =>
    `Upload the file ${name} first: drop it on this page. It is recognised by its hash, whatever its name is.`,
  describe: (name: string) => `Makes the package ${name}. No computer gets it before it is released.`,
  started: 'The import has started.',
}
