/** The texts about proposed packages. The keys of confidences, requirements and properties are those of the API. */
export const enProposal = {
  submit: 'Create package',
  manual: 'Write the manifest yourself',
  intro: (guesses: number) =>
    guesses === 0
      ? 'This was read from the file. Correct what should be different.'
      : `This was read from the file. ${guesses === 1 ? 'One value is a guess: check it' : `${guesses} values are guesses: check them`}, and try the package on one computer first.`,
  renamed: (name: string) => `In the package, the file is called ${name}.`,
  warnings: 'Before you go on',
  implied: 'The agent does this by itself',
  requirements: 'What computers need',
  notes: 'What else the file says',
  script: (name: string) => `What ${name} does`,
  scriptIsCut: 'Only the beginning is shown.',
  confidences: { certain: 'Certain', likely: 'Likely', guess: 'Guess' },
  requirementKinds: {
    architecture: 'Architecture',
    dependency: 'Other software',
    condition: 'Condition',
    runtime: 'Runtime',
  },
  /** What follows a label and says how the value is typed. */
  forms: {
    text: '',
    longText: '',
    lines: '(one argument in each line)',
    texts: '(separated by commas)',
    numbers: '(separated by commas)',
    json: '(JSON)',
  },
  properties: {
    name: 'Name',
    version: 'Version',
    displayName: 'Displayed name',
    author: 'Vendor',
    description: 'Description',
    operatingSystems: 'Operating systems',
    'onlyFor.architectures': 'Only for the architectures',
    'onlyFor.osVersion.min': 'Lowest version of the operating system',
    'msi.properties': 'Property of the MSI file',
    'commands.install.argv': 'Install command',
    'commands.install.shell': 'Install command of the shell',
    'commands.install.successCodes': 'Return codes of success',
    'commands.install.rebootCodes': 'Return codes that need a restart',
    'commands.uninstall.argv': 'Uninstall command',
    'commands.uninstall.shell': 'Uninstall command of the shell',
    'commands.uninstall': 'Uninstall',
    'commands.detect.argv': 'Detection command',
    'commands.detect.shell': 'Detection command of the shell',
    'commands.detect': 'Detection',
  },
}
