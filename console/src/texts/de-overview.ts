import { deAgentStatuses, deIssueNames, dePatchAges } from './de-fleet-values.ts'
import type { Texts } from './en.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deOverview: Texts['overview'] = {
  title: 'Übersicht',
  notCounted: 'Die Flotte wurde noch nicht gezählt.',
  ofComputers: (share) => `${share} der Computer`,
  tiles: {
    title: 'Kennzahlen',
    computers: 'Computer',
    reporting: (n) => `${n} melden sich`,
    withIssues: 'Mit Problemen',
    seenRecently: (share) => `${share}, in den letzten 30 Tagen gesehen`,
    missingCritical: 'Fehlende kritische Patches',
  },
  charts: {
    agentStatus: 'Agentenstatus',
    issues: 'Probleme',
    operatingSystems: 'Betriebssysteme',
    patchAge: 'Alter des ältesten fehlenden Sicherheitspatches',
  },
  agentStatuses: deAgentStatuses,
  patchAges: dePatchAges,
  issueNames: deIssueNames,
  unknownSystem: 'Unbekannt',
  otherSystems: 'Andere',
  trends: {
    title: 'Letzte 30 Tage',
    begins: 'Der Bestand wird stündlich erfasst. Der Verlauf beginnt mit der zweiten Erfassung.',
    all: 'Alle Computer',
    reporting: 'Melden sich',
    failures: 'Fehlschläge',
    missingPatches: 'Fehlende Patches',
    critical: 'Kritisch',
    important: 'Wichtig',
  },
  running: {
    title: 'Läuft gerade',
    all: 'Alle Rollouts und Aufgaben',
    nothing: 'Es läuft weder ein Rollout noch eine Aufgabe.',
    progressOf: (name) => `Fortschritt von ${name}`,
    progress: (done, total) => `${done} von ${total}`,
    ring: (open, rings) => `Ring ${open} von ${rings}`,
    rings: (n) => count(n, 'Ring', 'Ringe'),
    rolloutStates: {
      Running: 'Läuft',
      Paused: 'Angehalten',
      CatchingUp: 'Holt nach',
      Completed: 'Abgeschlossen',
      Cancelled: 'Abgebrochen',
    },
    task: 'Läuft',
    taskTypes: {
      Activation: 'Verteilung',
      Uninstall: 'Deinstallation',
      Reinstall: 'Neuinstallation',
      Rescan: 'Inventur',
      Reboot: 'Neustart',
      Remediation: 'Patchen',
    },
    succeeded: 'erfolgreich',
    failed: 'fehlgeschlagen',
    retrying: 'fehlgeschlagen, wird wiederholt',
    cancelled: 'abgebrochen',
    nothingDue: 'nichts fällig',
    open: 'offen',
  },
  noAccess: {
    title: 'Ihre Seiten',
    text: 'Die Übersicht der Flotte erfordert die Rolle computer.read, die Sie nicht haben. Diese Seiten stehen Ihnen offen:',
  },
}
