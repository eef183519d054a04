import type { enApprovals, enSafety } from './en-safety.ts'

const computers = (n: number) => `${n.toLocaleString('de')} Computer`

export const deSafety: typeof enSafety = {
  title: 'Schutzgrenzen',
  intro: 'Begrenzen Sie, was ein Irrtum oder gestohlene Zugangsdaten anrichten können.',
  toPage: 'Schutzgrenzen öffnen',
  frozenTitle: 'Es werden keine neuen Aufträge verteilt',
  frozenBy: (name, at) => `Angehalten von ${name} am ${at}.`,
  freeze: {
    title: 'Verteilung anhalten',
    hint: 'Wirkt beim nächsten Kontakt jedes Agenten: Agenten erhalten keine neuen Aufträge, und kein Computer startet über das Netzwerk. Begonnene Aufträge laufen weiter.',
    isOff: 'Aufträge werden wie gewohnt verteilt.',
    start: 'Anhalten',
    reason: 'Grund',
    reasonHint: 'Alle, die sich anmelden, sehen ihn.',
    started: 'Verteilung angehalten',
    end: 'Fortsetzen',
    endTitle: 'Verteilung fortsetzen?',
    endText: 'Agenten erhalten beim nächsten Kontakt alle fälligen Aufträge.',
    ended: 'Verteilung fortgesetzt',
  },
  quotas: {
    title: 'Kontingente',
    hint: 'So viele Computer darf ein Zugang innerhalb einer Stunde mit einschneidenden Aktionen treffen. Darüber gibt ein zweiter Administrator jede Aktion frei. Leer lassen für unbegrenzt viele.',
    api: 'Programme mit Zugriffstoken',
    console: 'Personen in dieser Konsole',
    submit: 'Kontingente speichern',
  },
}

export const deApprovals: typeof enApprovals = {
  title: 'Freigaben',
  intro: 'Einschneidende Aktionen, die das Kontingent eines Zugangs überschreiten. Sie warten 24 Stunden.',
  state: 'Status',
  columns: {
    request: 'Anfrage',
    computers: 'Computer',
    requested: 'Angefragt von',
    state: 'Status',
    actions: 'Aktionen',
  },
  states: {
    Pending: 'Wartet',
    Expired: 'Abgelaufen',
    Executed: 'Ausgeführt',
    Failed: 'Fehlgeschlagen',
    Denied: 'Abgelehnt',
  },
  until: 'bis',
  subjects: { Group: 'Gruppe', Computer: 'Computer', Package: 'Paket' },
  computers: 'Betroffene Computer',
  nowNamed: (name) => `jetzt ${name}`,
  nowDeleted: 'inzwischen gelöscht',
  others: (n) => `und ${n.toLocaleString('de')} weitere`,
  received: 'Sie erhalten',
  requestedAt: 'Angefragt',
  expiresAt: 'Läuft ab',
  content: 'Anfrage',
  boundHint:
    'Nur diese Computer sind betroffen, und sie erhalten nichts anderes. Später hinzugekommene werden ausgelassen; wo das nicht möglich ist oder wo sie etwas anderes erhielten, schlägt die Anfrage fehl.',
  failedBecause: (reason) => `Fehlgeschlagen: ${reason}`,
  problems: {
    ApprovedComputersChanged:
      'Es wären jetzt andere Computer betroffen. Nichts wurde geändert; die Anfrage muss erneut gestellt werden.',
    ApprovedContentChanged:
      'Die Computer würden jetzt etwas anderes erhalten. Nichts wurde geändert; die Anfrage muss erneut gestellt werden.',
  },
  emptyTitle: 'Keine Anfragen',
  emptyText: 'Hier erscheinen Anfragen, wenn eine einschneidende Aktion ein Kontingent überschreitet.',
  ownHint: 'Ihre Anfrage muss ein anderer Administrator freigeben.',
  approve: 'Freigeben',
  approveTitle: (request) => `„${request}“ freigeben?`,
  approveText: (name, n) =>
    `Die Anfrage von ${name} betrifft ${computers(n)}. Sie wird sofort und mit den Rechten von ${name} ausgeführt.`,
  approved: 'Die Anfrage wurde ausgeführt',
  deny: 'Ablehnen',
  denyTitle: (request) => `„${request}“ ablehnen?`,
  denyText: (name) => `Die Anfrage von ${name} wird nicht ausgeführt.`,
  denied: 'Abgelehnt',
  requests: {
    activateComputer: 'Auf einen Computer verteilen',
    activateGroup: 'Auf eine Gruppe verteilen',
    deleteComputer: 'Computer löschen',
    deleteComputers: 'Mehrere Computer löschen',
    deleteGroup: 'Gruppe löschen',
    stopPatchOfPolicy: 'Patch stoppen und zurücknehmen',
    updatePatchPolicy: 'Patchrichtlinie ändern',
    rebootComputer: 'Computer neu starten',
    rebootComputers: 'Mehrere Computer neu starten',
    removeDistributionOptions: 'Verteiloptionen entfernen',
    requestSoftwareReinstall: 'Software neu installieren',
    setDistributionOptions: 'Verteiloptionen ändern',
    uninstallOnComputers: 'Software von mehreren Computern deinstallieren',
    uninstallSoftware: 'Software deinstallieren',
  },
}
