import type { enQuarantine } from './en-quarantine.ts'

export const deQuarantine: typeof enQuarantine = {
  title: 'Agenten in Quarantäne',
  intro:
    'Diese Agenten geben an, auf einem vorhandenen Computer zu laufen, ohne das durch seine UUID zu belegen. Bis Sie sie bestätigen, erhalten sie keine Aufträge.',
  columns: {
    computer: 'Computer',
    reported: 'Vom Agenten gemeldet',
    matchedBy: 'Stimmt überein in',
    agent: 'Agent',
    address: 'Adresse',
    enrolled: 'Registriert',
    actions: 'Aktionen',
  },
  properties: { Uuid: 'UUID', SerialNumber: 'Seriennummer', MacAddress: 'MAC-Adresse', Name: 'Name und Domäne' },
  emptyTitle: 'Keine Agenten in Quarantäne',
  emptyText: 'Hier erscheinen Agenten, die eine Person bestätigen muss.',
  confirm: 'Bestätigen',
  confirmTitle: (name) => `Agent von ${name} bestätigen?`,
  confirmText:
    'Der Agent erhält die Aufträge dieses Computers mit ihren Geheimnissen. Vergleichen Sie vorher die gemeldeten Werte mit dem Computer.',
  replacesAgent: 'Der Computer hat einen anderen Agenten, der dann ausgesperrt wird.',
  confirmed: 'Bestätigt',
  reject: 'Ablehnen',
  rejectTitle: (name) => `Agent von ${name} ablehnen?`,
  rejectText: 'Seine Anmeldedaten gelten nicht mehr. Der Computer bleibt, wie er ist.',
  rejected: 'Abgelehnt',
}
