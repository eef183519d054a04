import type { enOsInstallation } from './en-os-installation.ts'

export const deOsInstallation: typeof enOsInstallation = {
  title: 'Installation des Betriebssystems',
  waits:
    'Der Computer installiert sein Betriebssystem beim nächsten Start aus dem Netzwerk. Noch nichts hat nach seinem Boot-Skript gefragt.',
  several: 'Mehrere Adressen haben mit der MAC-Adresse dieses Computers gefragt. Eine davon kann jemand anderes sein.',
  columns: { address: 'Adresse', fetched: 'Boot-Skript', reported: 'Meldung', status: 'Ergebnis', actions: 'Aktionen' },
  statuses: { Success: 'Erfolgreich', Failed: 'Fehlgeschlagen' },
  confirm: 'Meldung bestätigen',
  confirmLabel: (address) => `Meldung von ${address} bestätigen`,
  confirmTitle: 'Diese Meldung gelten lassen?',
  confirms: (name, address) =>
    `Die Meldung von ${address} beendet die Installation von ${name}, wie es die Registrierung eines Agenten täte. Der Computer startet nicht mehr aus dem Netzwerk.`,
  confirmed: 'Die Meldung ist bestätigt',
  readiness: 'Bereitschaft zur Installation',
  ready: 'Bereit',
  notReady: 'Nicht bereit',
  missing: 'Eine Installation setzt voraus, dass',
  noEdition: 'Kein Betriebssystem ist zugewiesen.',
  list: {
    title: 'Ausstehende Installationen',
    columns: {
      computer: 'Computer',
      edition: 'Betriebssystem',
      readiness: 'Bereitschaft',
      since: 'Angefordert',
      progress: 'Fortschritt',
    },
    emptyText: 'Computer, deren Betriebssystem installiert werden soll, erscheinen hier.',
    notBooted: 'Noch nicht aus dem Netzwerk gestartet',
    booted: (n) => (n === 1 ? 'Boot-Skript abgerufen' : `Boot-Skript von ${n} Adressen abgerufen`),
    reports: (n) => (n === 1 ? 'Meldung zu bestätigen' : `${n} Meldungen zu bestätigen`),
  },
}
