export const enFirstSteps = {
  title: 'First steps',
  progress: (done: number, total: number) => `${done} of ${total} done. Finished steps are ticked off by themselves.`,
  hide: 'Hide',
  done: ' (done)',
  open: ' (to do)',
  onServer: 'Run the command on the server.',
  onServerAsRoot: 'Run the command as root on the server, or in its container.',
  computer: {
    title: 'Add a computer',
    hint: 'Run the command as root on a Linux computer. It is valid for one computer and one day.',
    hintOwn:
      'Begin with this server: run the first command, then the second one in a terminal that stays open. The first one is valid for one computer and one day.',
    needsAgent: 'No package of the agent is released yet: install the agent on that computer first.',
    create: 'Create command',
    createAgain: 'Create another command',
    others: 'Other computers and platforms',
    command: 'Enrol the computer',
    run: 'Start the agent',
    tokenDescription: 'First computer',
    needsRole: 'Somebody with the role admin.manage can create the command that enrols a computer.',
  },
  package: {
    title: 'Import the example package',
    hint: 'Copy it into the package store of the server, then import and release it.',
    command: 'Copy the example package',
    link: 'Import a package',
  },
  deployment: {
    title: 'Deploy it and watch it succeed',
    hint: 'Create a group, add the computer to it, assign the package, and deploy the group.',
    link: 'Open groups',
  },
  provider: {
    title: 'Connect an identity provider',
    hint: 'People then sign in with their usual account. The guide on signing in describes the file.',
    command: 'Start Muster with a provider',
  },
  backup: {
    title: 'Back up Muster',
    hint: 'Do this every night. The backup contains everything except the package store.',
    command: 'Back up all data',
  },
}
