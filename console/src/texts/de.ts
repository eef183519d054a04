import { deActions } from './de-actions.ts'
import { deCharts } from './de-charts.ts'
import { deComputer } from './de-computer.ts'
import { deComputers } from './de-computers.ts'
import { deDecisions } from './de-decisions.ts'
import { deGroups } from './de-groups.ts'
import { deHealth } from './de-health.ts'
import { deIssues } from './de-issues.ts'
import { deLive } from './de-live.ts'
import { deOverview } from './de-overview.ts'
import { dePackages } from './de-packages.ts'
import { deProblems } from './de-problems.ts'
import { deRollouts } from './de-rollouts.ts'
import { deApprovals, deSafety } from './de-safety.ts'
import { deSignIn } from './de-sign-in.ts'
import { deTable } from './de-table.ts'
import { deDuration } from './durations.ts'
import type { Texts } from './en.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const de: Texts = {
  shell: {
    product: 'Muster',
    skip: 'Zum Inhalt springen',
    navigation: 'Seiten',
    fleet: 'Flotte',
    administration: 'Verwaltung',
    packageRequests: 'Softwareanfragen',
    patches: 'Patches',
    audit: 'Protokoll',
    webhooks: 'Webhooks',
    enrolment: 'Registrierung',
    openMenu: 'Menü ein- oder ausblenden',
    account: 'Konto und Einstellungen',
    signedInAs: (name) => `Angemeldet als ${name}`,
    signOut: 'Abmelden',
    colours: 'Farbschema',
    language: 'Sprache',
    schemes: { auto: 'System', light: 'Hell', dark: 'Dunkel' },
    notFound: 'Seite nicht gefunden',
    notFoundHint: 'Die Adresse ist möglicherweise falsch geschrieben, oder die Seite wurde gelöscht.',
    toPrincipals: 'Zu den Zugängen',
    unknownFilter: 'Unbekannter Filter',
    unknownFilterText: (filter) => `Diese Seite hat keinen Filter „${filter}“.`,
    withoutFilter: 'Seite ohne ihn anzeigen',
    pageFault: 'Seite konnte nicht geladen werden',
    toStart: 'Zur Startseite',
  },
  common: {
    continue: 'Weiter',
    cancel: 'Abbrechen',
    close: 'Schließen',
    save: 'Speichern',
    saved: 'Gespeichert',
    refresh: 'Aktualisieren',
    tryAgain: 'Erneut versuchen',
    loading: 'Wird geladen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    none: 'Keine',
    never: 'Nie',
    all: 'Alle',
    clearFilters: 'Filter zurücksetzen',
    nothingFound: 'Keine Treffer',
    nothingFoundHint: 'Ändern Sie die Filter oder setzen Sie sie zurück, um mehr zu sehen.',
    range: (from, to, total) => `${from}–${to} von ${total.toLocaleString('de')}`,
    previousPage: 'Vorherige Seite',
    nextPage: 'Nächste Seite',
    sortBy: (column) => `Nach ${column} sortieren`,
    timeZone: (zone) => `Zeitzone: ${zone}`,
    unsavedTitle: 'Seite ohne Speichern verlassen?',
    unsavedText: 'Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.',
    leave: 'Verlassen',
    stay: 'Auf der Seite bleiben',
    duration: deDuration,
    discardTitle: 'Eingaben verwerfen?',
    discardText: 'Sie sind noch nicht übernommen.',
    discard: 'Verwerfen',
    keepEditing: 'Weiter bearbeiten',
    loadMore: 'Mehr laden',
    asOf: (age) => `Stand: ${age}`,
    connectedAgent: 'Der Agent ist verbunden.',
    nextContact: (at) => `Nächster Kontakt des Agenten: ${at}.`,
    lateContact: (at) => `Der Agent ist überfällig: Sein nächster Kontakt wurde ${at} erwartet.`,
    typeToConfirm: (text) => `Geben Sie zur Bestätigung ${text} ein`,
  },
  problems: deProblems,
  signIn: deSignIn,
  principals: {
    title: 'Zugänge',
    intro: 'Programme und Personen, die die API nutzen dürfen.',
    create: 'Zugang anlegen',
    search: 'Suche',
    searchHint: 'Name, Kennung, Aussteller oder Rolle',
    columns: {
      name: 'Name',
      kind: 'Art',
      identifier: 'Kennung',
      roles: 'Rollen',
      state: 'Status',
      expires: 'Läuft ab',
      lastUsed: 'Zuletzt genutzt',
    },
    kinds: { local: 'Lokal', user: 'Benutzer', client: 'Client' },
    kindHints: {
      local: 'Ein Programm oder Administrator mit Client-ID und Secret, die Muster erzeugt.',
      user: 'Eine Person, die sich über Ihren Identitätsanbieter anmeldet.',
      client: 'Ein Programm, das seine Token von Ihrem Identitätsanbieter erhält.',
    },
    states: { active: 'Aktiv', revoked: 'Gesperrt', expired: 'Abgelaufen' },
    protected: 'Geschützt',
    kindFilter: 'Art',
    stateFilter: 'Status',
    emptyTitle: 'Noch keine Zugänge',
    emptyText: 'Legen Sie für jedes Programm und jede Person, die die API nutzt, einen Zugang an.',
    nameless: 'Unbenannt',
    roleCount: (n) => count(n, 'Rolle', 'Rollen'),
    you: 'Sie',
  },
  roles: {
    title: 'Rollen',
    intro: 'Welche Operationen jede Rolle erlaubt. Keine Rolle schließt eine andere ein.',
    search: 'Operationen suchen',
    searchHint: 'Name, Pfad oder Zweck',
    columns: { operation: 'Operation', call: 'Aufruf', purpose: 'Zweck' },
    operationCount: (n) => count(n, 'Operation', 'Operationen'),
    withoutRole: {
      'any valid token': 'Alle mit gültigem Token, mit oder ohne Rollen.',
      'no token': 'Alle, auch ohne Token.',
    },
    explained: {
      'computer.read': 'Computer mit Inventar, Zustand, Problemen, Verteilungen, Patches, Aufgaben und Depots ansehen.',
      'computer.write':
        'Computer anlegen, ändern und löschen, ihre Variablen setzen und benutzerdefinierte Felder verwalten.',
      'group.read': 'Gruppen mit Mitgliedern, Zuweisungen, Optionen und Variablen ansehen.',
      'group.write': 'Gruppen anlegen, ändern und löschen und ihnen Computer und Pakete zuweisen.',
      'package.read': 'Pakete, Images, Vorlagen, Variablendefinitionen und Tags ansehen.',
      'package.write': 'Pakete importieren und zur Installation freigeben, Tags ändern und den Katalog anwenden.',
      'activation.execute': 'Zugewiesene Software verteilen, Software deinstallieren und Depots synchronisieren.',
      'reinstall.execute':
        'Ein Paket auf einem Computer neu installieren sowie ausstehende Neuinstallationen und Scans abbrechen.',
      'scan.execute': 'Inventar oder Patches eines Computers neu erfassen.',
      'reboot.execute': 'Computer neu starten.',
      'pm.read': 'Patchkatalog und Patchgruppen ansehen.',
      'pm.write': 'Patches importieren sowie Patchgruppen anlegen, füllen und zuweisen.',
      'pm.approve': 'Patches freigeben und Freigaben widerrufen.',
      'pm.execute': 'Notfall-Patching starten und beenden.',
      'admin.manage':
        'Zugänge und ihre Rollen verwalten, über die Registrierung von Agenten entscheiden und das Protokoll einsehen.',
    },
  },
  approvals: deApprovals,
  safety: deSafety,
  table: deTable,
  health: deHealth,
  about: { title: 'Über Muster' },
  actions: deActions,
  charts: deCharts,
  decisions: deDecisions,
  computer: deComputer,
  computers: deComputers,
  groups: deGroups,
  infrastructure: { title: 'Infrastruktur' },
  issues: deIssues,
  live: deLive,
  overview: deOverview,
  packages: dePackages,
  rollouts: deRollouts,
}
