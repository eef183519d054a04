const number = (n: number) => n.toLocaleString('en')
const computers = (n: number) => `${number(n)} ${n === 1 ? 'computer' : 'computers'}`

/** Texts of the search for installed software. */
export const enSoftware = {
  title: 'Software',
  intro: 'Who has which version of a program, by the last inventory of each computer.',
  name: 'Name',
  nameHint: 'The complete name; * stands for any text, as in Mozilla Firefox*',
  namePlaceholder: 'openssl',
  condition: 'Version',
  conditions: { any: 'Any version', below: 'Below', atLeast: 'At least', equal: 'Equal to' },
  version: 'Compared version',
  versionPlaceholder: '3.0.16',
  begin: 'Enter the name of a program',
  beginHint: 'For example openssl, to see which versions are installed and where.',
  found: (n: number, versions: number) =>
    `${computers(n)} with ${number(versions)} matching ${versions === 1 ? 'version' : 'versions'}`,
  unknown: (n: number) =>
    n === 1
      ? '1 version of this name cannot be compared, and is not listed.'
      : `${number(n)} versions of this name cannot be compared, and are not listed.`,
  nothing: 'No computer has it',
  nothingHint: 'No inventory reports software of this name that meets the condition.',
  similar: 'Names that contain it:',
  order:
    'Versions are compared as dpkg and rpm do, and elsewhere as numbers. An epoch or a revision counts only if you enter one.',
  columns: { name: 'Name', version: 'Version', publisher: 'Publisher', computers: 'Computers' },
  noVersion: 'Unknown',
  list: 'Versions of the software',
  showComputers: (n: number) => `Open ${computers(n)}`,
  showHint: 'Select them there to deploy, to add them to a group or to restart them.',
  csv: 'Download computers as CSV',
  packages: (name: string) => `Packages named ${name}`,
}
