import type { Decision } from '../api/decisions.ts'
import type { enDecisions } from './en-decisions.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

const titles: Record<Decision['kind'], (n: number) => string> = {
  PausedRollout: (n) => count(n, 'Rollout ist angehalten', 'Rollouts sind angehalten'),
  QuarantinedAgent: (n) => count(n, 'Agent wartet auf Bestätigung', 'Agenten warten auf Bestätigung'),
  Approval: (n) => count(n, 'Anfrage braucht eine Freigabe', 'Anfragen brauchen eine Freigabe'),
  PackageRequest: (n) => count(n, 'Benutzer wünscht ein Paket', 'Benutzer wünschen Pakete'),
  StoppedRule: (n) => count(n, 'Gruppenregel hat angehalten', 'Gruppenregeln haben angehalten'),
  FailingPackage: (n) =>
    count(n, 'Paket schlägt auf vielen Computern fehl', 'Pakete schlagen auf vielen Computern fehl'),
  ExpiringSecret: (n) => count(n, 'Zugang läuft bald ab', 'Zugänge laufen bald ab'),
  ExpiringCertificate: (n) => count(n, 'Zertifikat läuft bald ab', 'Zertifikate laufen bald ab'),
  AwayDepot: (n) => count(n, 'Depot meldet sich nicht', 'Depots melden sich nicht'),
  StoppedWebhook: (n) => count(n, 'Webhook wurde angehalten', 'Webhooks wurden angehalten'),
}

export const deDecisions: typeof enDecisions = {
  heading: 'Braucht eine Entscheidung',
  none: 'Nichts wartet auf eine Entscheidung.',
  waiting: (n) => `${n.toLocaleString('de')} ${n === 1 ? 'wartet' : 'warten'}`,
  title: ({ kind, count }) => titles[kind](count),
  review: 'Prüfen',
  more: (n) => `und ${n.toLocaleString('de')} weitere`,
  ends: (date) => `endet ${date}`,
  ended: (date) => `endete ${date}`,
  onComputers: (n) => `auf ${count(n, 'Computer', 'Computern')}`,
}
