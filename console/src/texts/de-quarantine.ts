import type { enQuarantine } from './en-quarantine.ts'

export const deQuarantine: typeof enQuarantine = {
  title: 'Agenten in Quarantäne',
  intro:
    'Diese Agenten geben an, auf einem vorhandenen Computer zu laufen, ohne das durch seine UUID zu belegen, oder passen zu mehreren Computern. Bis Sie sie bestätigen, erhalten sie keine Aufträge.',
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
  candidates: (count) => `einer von ${count} Computern`,
  choose: 'Computer, auf dem der Agent läuft',
  chooseText: 'Mehrere Computer passen gleich gut zu dem Agenten.',
  waiting: {
    text: 'Muster kennt den Computer bereits, aber der Agent hat nicht belegt, dass er dort läuft. Er erhält Aufträge, sobald Sie ihn bestätigen.',
    matches: (computer, properties) => `Gibt an, auf ${computer} zu laufen · stimmt überein in ${properties}`,
    from: (address) => `von ${address}`,
    all: (n) => `Alle ${n.toLocaleString('de')} Agenten`,
  },
  duplicates: {
    title: 'Computer mit gleicher UUID',
    intro:
      'Eine UUID, die mehrere Computer haben, bezeichnet keinen von ihnen. Ihre Agenten werden nur registriert, wenn Seriennummer, MAC-Adresse oder Name zeigen, um welchen Computer es sich handelt. Korrigieren oder löschen Sie falsche UUIDs.',
    columns: {
      uuid: 'UUID',
      computer: 'Computer',
      macAddress: 'MAC-Adresse',
      agent: 'Agent',
      lastSeen: 'Letzter Kontakt',
    },
    hasAgent: 'registriert',
    hasNoAgent: 'keiner',
  },
  hasAgent: 'hat einen Agenten',
  replacesAgent: 'Der Computer hat einen anderen Agenten, der dann ausgesperrt wird.',
  confirmed: 'Bestätigt',
  reject: 'Ablehnen',
  rejectTitle: (name) => `Agent von ${name} ablehnen?`,
  rejectText: 'Seine Anmeldedaten gelten nicht mehr. Der Computer bleibt, wie er ist.',
  rejected: 'Abgelehnt',
}
