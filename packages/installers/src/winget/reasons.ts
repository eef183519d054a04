/** Why an installer of a manifest needs a person, with the text for people. */
export const wingetReasons = {
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
} as const

export type WingetReason = keyof typeof wingetReasons
