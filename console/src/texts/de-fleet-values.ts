import type { enAgentStatuses, enHealthStatuses, enIssueNames, enPatchAges } from './en-fleet-values.ts'

/** Names of values of the API, which several pages show: the same words on all of them. */
export const deIssueNames: typeof enIssueNames = {
  'low-disk': 'Wenig Speicherplatz',
  'battery-wear': 'Verschlissener Akku',
  'bitlocker-off': 'Laufwerk nicht verschlüsselt',
  'pending-reboot': 'Neustart ausstehend',
  'failed-deployment': 'Fehlgeschlagene Verteilung',
  'missing-patch': 'Fehlende Sicherheitspatches',
  'stale-agent': 'Meldet sich nicht',
  'stale-inventory': 'Veraltetes Inventar',
  'stale-deployment': 'Verteilung nicht begonnen',
  'agent-suspended': 'Agent angehalten',
  'software-drift': 'Software von Hand entfernt',
}

export const deAgentStatuses: typeof enAgentStatuses = {
  Reporting: 'Meldet sich',
  Stale: 'Überfällig',
  Silent: 'Verstummt',
  Unknown: 'Nie gemeldet',
}

export const deHealthStatuses: typeof enHealthStatuses = {
  Healthy: 'In Ordnung',
  Warning: 'Warnung',
  Unreachable: 'Nicht erreichbar',
}

/** How long ago the oldest missing security patch was released. */
export const dePatchAges: typeof enPatchAges = {
  NotScanned: 'Nicht geprüft',
  NoneMissing: 'Keiner fehlt',
  UpTo7Days: 'Bis 7 Tage',
  UpTo30Days: 'Bis 30 Tage',
  UpTo90Days: 'Bis 90 Tage',
  Older: 'Älter als 90 Tage',
  Unknown: 'Datum unbekannt',
}
