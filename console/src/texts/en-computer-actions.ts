import { enDuration } from './durations.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** The actions on a computer. Each is reviewed in a panel before it is carried out. */
export const enComputerActions = {
  more: 'More actions',
  deploy: {
    label: 'Deploy',
    title: (name: string) => `Deploy assigned software to ${name}`,
    describe: (name: string) => `${name} gets the software that is assigned to it at its next contact.`,
    nothingDue: 'Nothing is due: everything that is assigned is in place or already on its way.',
    done: 'Deployment started',
    undo: 'Cancel deployment',
    undone: 'Work that had not begun was cancelled',
  },
  restart: {
    label: 'Restart',
    title: (name: string) => `Restart ${name}`,
    when: 'When',
    now: 'At the next contact',
    later: 'Give the user time first',
    minutes: 'Minutes until the restart is forced',
    describe: (name: string) => `${name} restarts at its next contact, without asking its user.`,
    describeLater: (name: string, minutes: number, user: string | null) =>
      `${user ?? 'A logged-on user'} has ${enDuration(minutes)} after the next contact. Then ${name} restarts.`,
    done: (name: string) => `${name} restarts at its next contact`,
  },
  rescan: {
    label: 'Rescan',
    title: (name: string) => `Scan ${name}`,
    what: 'What to scan',
    types: { Inventory: 'Inventory: hardware, software and security', Patch: 'Patches: missing and installed' },
    describe: (name: string, software: string | null) =>
      `${name} scans at its next contact${software ? ` with ${software}` : ''}.`,
    alreadyPending: 'This scan is already requested and waits for the next contact.',
    done: 'Scan requested',
    undo: 'Cancel scan',
    undone: 'The scan was cancelled',
  },
  reinstallSystem: {
    label: 'Reinstall operating system',
    title: (name: string) => `Reinstall the operating system of ${name}`,
    describe: (name: string) =>
      `${name} installs its operating system again at its next network boot. Everything on its disk is lost.`,
    waitsFor: 'It waits until',
    missing: {
      OsImageSku: 'an edition of an operating system is assigned',
      OsImageReadyToInstall: 'the operating system is Ready to Install',
      PxeBootImage: 'a boot image is assigned',
      PxeBootImageReadyToInstall: 'the boot image is Ready to Install',
      OsImageForArchitecture: 'an operating system for the architecture of the computer is assigned',
      PxeBootImageForArchitecture: 'a boot image for the architecture of the computer is assigned',
      PxeSupport: 'the computer supports PXE',
      MacAddress: 'the MAC address of the computer is known',
    },
    done: (name: string) => `${name} waits for its next network boot`,
    undo: 'Cancel reinstallation',
    undone: 'The reinstallation was cancelled',
  },
  retryPackage: {
    label: 'Retry now',
    title: (name: string) => `Retry ${name}`,
    describe: (name: string) => `${name} is tried again at the next contact, with the options of its group.`,
    nothingDue: 'Nothing is due: it does not fail any more, or is not assigned any more.',
    done: (name: string) => `${name} will be tried again`,
  },
  reinstallPackage: {
    label: 'Reinstall',
    installNow: 'Install now',
    installTitle: (name: string) => `Install ${name} now`,
    describeInstall: (name: string, group: string) =>
      `${name}, which ${group} assigns, is installed at the next contact, whatever its schedule. The user cannot postpone it.`,
    installDone: (name: string) => `${name} will be installed`,
    title: (name: string) => `Reinstall ${name}`,
    describe: (name: string, group: string) =>
      `${name}, which ${group} assigns, is installed again at the next contact, whatever its schedule. The user cannot postpone it.`,
    done: (name: string) => `${name} will be reinstalled`,
    undo: 'Cancel reinstall',
    undone: 'The reinstall was cancelled',
  },
  uninstallPackage: {
    label: 'Uninstall',
    title: (name: string) => `Uninstall ${name}`,
    describe: (name: string, group: string, computers: number) =>
      `${name} is uninstalled from this computer at its next contact. The options of ${group} change to Uninstall: ${count(computers, 'computer follows', 'computers follow')} with the next deployment, this one included.`,
    done: (name: string) => `${name} will be uninstalled`,
    undo: 'Cancel uninstall',
    undone: 'The uninstall was cancelled',
  },
  reEnrol: {
    label: 'Re-enrol agent',
    title: (name: string) => `Re-enrol the agent of ${name}`,
    describe: (name: string, until: string) =>
      `Creates a code with which one agent may take over ${name}, until ${until}. The current agent keeps working until then.`,
    done: 'Re-enrolment code created',
    undo: 'Withdraw code',
    undone: 'The code was withdrawn',
    codeTitle: (name: string) => `Re-enrolment code of ${name}`,
    codeWarning: 'This is the only time that the code is shown.',
    codeStored: 'I have stored the code',
    code: 'Code',
    command: 'Command on the computer',
    commandHint: 'Run it as root in the folder of the agent.',
  },
  delete: {
    label: 'Delete',
    title: (name: string) => `Delete ${name}`,
    describe: (name: string) =>
      `Deletes ${name} with its inventory, history, variable values and credentials. This cannot be undone.`,
    memberOf: (n: number) => `It leaves ${count(n, 'group', 'groups')}:`,
    done: (name: string) => `${name} was deleted`,
  },
}
