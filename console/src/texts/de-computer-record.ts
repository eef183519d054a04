import type { enComputerRecord } from './en-computer-record.ts'

export const deComputerRecord: typeof enComputerRecord = {
  create: 'Computer anlegen',
  creates: (name) =>
    `Legt ${name} ohne Gruppe an. Ein Agent mit seiner UUID oder MAC-Adresse übernimmt ihn bei der Registrierung.`,
  created: (name) => `${name} wurde angelegt`,
  needsAddress: 'Geben Sie eine MAC-Adresse oder eine UUID an: Daran wird der Agent erkannt.',
  edit: 'Bearbeiten',
  editTitle: (name) => `${name} bearbeiten`,
  edits: (name) => `Die Angaben zu ${name} ändern sich. An den Computer wird nichts gesendet.`,
  fields: {
    hostname: 'Name',
    domain: 'Domäne',
    isDomain: 'Mitglied der Domäne',
    macAddress: 'MAC-Adresse',
    uuid: 'UUID',
    serialNumber: 'Seriennummer',
    inventoryId: 'Inventarnummer',
    ou: 'Organisationseinheit',
    pxeSupport: 'Kann aus dem Netzwerk starten',
  },
  customFields: 'Eigene Felder',
  staticAddress: 'Feste Adresse',
  staticAddressHint: 'Ohne sie verwendet das Installationsprogramm des Betriebssystems DHCP.',
  ipAddress: 'IPv4-Adresse',
  subnetMask: 'Subnetzmaske',
  standardGateway: 'Gateway',
  tags: 'Tags bearbeiten',
  tagsTitle: (name) => `Tags von ${name}`,
  tagsField: 'Tags',
  tagsHint: 'Regeln von Gruppen wählen Computer nach ihren Tags aus.',
  tagged: (n) =>
    n === 0 ? 'Der Computer wird keine Tags haben.' : `Der Computer wird ${n} ${n === 1 ? 'Tag' : 'Tags'} haben.`,
  tagsSaved: 'Die Tags sind gespeichert.',
  revoke: 'Agent sperren',
  revokeTitle: (name) => `Agent von ${name} sperren`,
  revokes: (name) =>
    `Der Agent von ${name} wird ab seiner nächsten Anfrage abgewiesen. Er braucht einen Code zur Neuregistrierung, um zurückzukehren. Was er gemeldet hat, bleibt, und seine Arbeit wartet.`,
  revoked: (name) => `Der Agent von ${name} ist gesperrt`,
}
