import { deDuration } from './durations.ts'
import type { Texts } from './en.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deComputerActions: Texts['computer']['actions'] = {
  more: 'Weitere Aktionen',
  deploy: {
    label: 'Verteilen',
    title: (name) => `Zugewiesene Software auf ${name} verteilen`,
    describe: (name) => `${name} bekommt beim nächsten Kontakt die zugewiesene Software.`,
    nothingDue: 'Es ist nichts zu tun: Alles Zugewiesene ist vorhanden oder schon unterwegs.',
    done: 'Verteilung begonnen',
    undo: 'Verteilung abbrechen',
    undone: 'Noch nicht begonnene Arbeit wurde abgebrochen',
  },
  restart: {
    label: 'Neu starten',
    title: (name) => `${name} neu starten`,
    when: 'Wann',
    now: 'Beim nächsten Kontakt',
    later: 'Dem Benutzer vorher Zeit geben',
    minutes: 'Minuten, bis der Neustart erzwungen wird',
    describe: (name) => `${name} startet beim nächsten Kontakt neu, ohne den Benutzer zu fragen.`,
    describeLater: (name, minutes, user) =>
      `${user ?? 'Ein angemeldeter Benutzer'} hat nach dem nächsten Kontakt ${deDuration(minutes)} Zeit. Dann startet ${name} neu.`,
    done: (name) => `${name} startet beim nächsten Kontakt neu`,
  },
  rescan: {
    label: 'Scannen',
    title: (name) => `${name} scannen`,
    what: 'Was gescannt wird',
    types: { Inventory: 'Inventar: Hardware, Software und Sicherheit', Patch: 'Patches: fehlende und installierte' },
    describe: (name, software) => `${name} scannt beim nächsten Kontakt${software ? ` mit ${software}` : ''}.`,
    alreadyPending: 'Dieser Scan ist schon angefordert und wartet auf den nächsten Kontakt.',
    done: 'Scan angefordert',
    undo: 'Scan abbrechen',
    undone: 'Der Scan wurde abgebrochen',
  },
  reinstallSystem: {
    label: 'Betriebssystem neu installieren',
    title: (name) => `Betriebssystem von ${name} neu installieren`,
    describe: (name) =>
      `${name} installiert sein Betriebssystem beim nächsten Start aus dem Netzwerk neu. Alles auf der Festplatte geht verloren.`,
    waitsFor: 'Es wartet, bis',
    missing: {
      OsImageSku: 'eine Edition eines Betriebssystems zugewiesen ist',
      OsImageReadyToInstall: 'das Betriebssystem freigegeben ist',
      PxeBootImage: 'ein PXE-Boot-Image zugewiesen ist',
      PxeBootImageReadyToInstall: 'das PXE-Boot-Image freigegeben ist',
      OsImageForArchitecture: 'ein Betriebssystem für die Architektur des Computers zugewiesen ist',
      PxeBootImageForArchitecture: 'ein PXE-Boot-Image für die Architektur des Computers zugewiesen ist',
      PxeSupport: 'der Computer PXE unterstützt',
      MacAddress: 'die MAC-Adresse des Computers bekannt ist',
    },
    done: (name) => `${name} wartet auf den nächsten Start aus dem Netzwerk`,
    undo: 'Neuinstallation abbrechen',
    undone: 'Die Neuinstallation wurde abgebrochen',
  },
  retryPackage: {
    label: 'Jetzt erneut versuchen',
    title: (name) => `${name} erneut versuchen`,
    describe: (name) => `${name} wird beim nächsten Kontakt erneut versucht, mit den Optionen der Gruppe.`,
    nothingDue: 'Nichts ist fällig: Das Paket schlägt nicht mehr fehl oder ist nicht mehr zugewiesen.',
    done: (name) => `${name} wird erneut versucht`,
  },
  reinstallPackage: {
    label: 'Neu installieren',
    installNow: 'Jetzt installieren',
    installTitle: (name) => `${name} jetzt installieren`,
    describeInstall: (name, group) =>
      `${name}, zugewiesen durch ${group}, wird beim nächsten Kontakt installiert, unabhängig vom Zeitplan. Der Benutzer kann es nicht verschieben.`,
    installDone: (name) => `${name} wird installiert`,
    title: (name) => `${name} neu installieren`,
    describe: (name, group) =>
      `${name}, zugewiesen durch ${group}, wird beim nächsten Kontakt neu installiert, unabhängig vom Zeitplan. Der Benutzer kann es nicht verschieben.`,
    done: (name) => `${name} wird neu installiert`,
    undo: 'Neuinstallation abbrechen',
    undone: 'Die Neuinstallation wurde abgebrochen',
  },
  uninstallPackage: {
    label: 'Deinstallieren',
    title: (name) => `${name} deinstallieren`,
    describe: (name, group, computers) =>
      `${name} wird beim nächsten Kontakt von diesem Computer deinstalliert. Die Optionen von ${group} ändern sich auf Deinstallieren: Das betrifft mit der nächsten Verteilung ${count(computers, 'Computer', 'Computer')}, diesen eingeschlossen.`,
    done: (name) => `${name} wird deinstalliert`,
    undo: 'Deinstallation abbrechen',
    undone: 'Die Deinstallation wurde abgebrochen',
  },
  reEnrol: {
    label: 'Agent neu registrieren',
    title: (name) => `Agent von ${name} neu registrieren`,
    describe: (name, until) =>
      `Erzeugt einen Code, mit dem ein Agent ${name} übernehmen darf, gültig bis ${until}. Bis dahin arbeitet der jetzige Agent weiter.`,
    done: 'Code zur Neuregistrierung erzeugt',
    undo: 'Code zurückziehen',
    undone: 'Der Code wurde zurückgezogen',
    codeTitle: (name) => `Code zur Neuregistrierung von ${name}`,
    codeWarning: 'Der Code wird nur dieses eine Mal angezeigt.',
    codeStored: 'Ich habe den Code gespeichert',
    code: 'Code',
    command: 'Befehl auf dem Computer',
    commandHint: 'Führen Sie ihn als root im Ordner des Agenten aus.',
  },
  delete: {
    label: 'Löschen',
    title: (name) => `${name} löschen`,
    describe: (name) =>
      `Löscht ${name} mit Inventar, Verlauf, Variablenwerten und Zugängen. Das lässt sich nicht rückgängig machen.`,
    memberOf: (n) => `Der Computer verlässt ${count(n, 'Gruppe', 'Gruppen')}:`,
    done: (name) => `${name} wurde gelöscht`,
  },
}
