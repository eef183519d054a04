/** Texts about an installation of an operating system that waits or runs. */
export const enOsInstallation = {
  title: 'Installation of the operating system',
  waits:
    'The computer installs its operating system at its next network boot. Nothing has asked for its boot script yet.',
  several: 'Several addresses have asked with the MAC address of this computer. One of them may be somebody else.',
  columns: { address: 'Address', fetched: 'Boot script', reported: 'Report', status: 'Result', actions: 'Actions' },
  statuses: { Success: 'Succeeded', Failed: 'Failed' },
  confirm: 'Confirm report',
  confirmLabel: (address: string) => `Confirm the report of ${address}`,
  confirmTitle: 'Let this report count?',
  confirms: (name: string, address: string) =>
    `The report of ${address} ends the installation of ${name}, as the enrolment of an agent would. The computer no longer boots from the network.`,
  confirmed: 'The report is confirmed',
  readiness: 'Readiness for an installation',
  ready: 'Ready',
  notReady: 'Not ready',
  missing: 'An installation needs that',
  noEdition: 'No operating system is assigned.',
  list: {
    title: 'Pending installations',
    columns: {
      computer: 'Computer',
      edition: 'Operating system',
      readiness: 'Readiness',
      since: 'Requested',
      progress: 'Progress',
    },
    emptyText: 'Computers whose operating system is to be installed appear here.',
    notBooted: 'Has not booted from the network yet',
    booted: (n: number) => (n === 1 ? 'Boot script fetched' : `Boot script fetched by ${n} addresses`),
    reports: (n: number) => (n === 1 ? 'Report to confirm' : `${n} reports to confirm`),
  },
}
