import type { enAgentPackages } from './en-agent-packages.ts'

export const deAgentPackages: typeof enAgentPackages = {
  title: 'Agent neuer Computer',
  intro:
    'Neue Computer installieren ihren Agenten aus dem Paket, das ein Administrator hier bestimmt. Ein Paket zu importieren oder freizugeben genügt nicht. Eine neue Version oder ein anderer Inhalt derselben Version muss erneut bestimmt werden.',
  columns: {
    platform: 'Plattform',
    package: 'Paket',
    signature: 'Signatur',
    state: 'Zustand',
    designated: 'Bestimmt',
    actions: 'Aktionen',
  },
  states: {
    NotDesignated: 'Keines',
    Served: 'Wird auf neuen Computern installiert',
    NotReleased: 'Nicht freigegeben',
    ContentChanged: 'Seitdem geändert',
    NotTrusted: 'Nicht von einem vertrauenswürdigen Schlüssel signiert',
  },
  signedBy: (keyId) => `Schlüssel ${keyId}`,
  unknownKey: (keyId) => `Schlüssel ${keyId}, nicht vertrauenswürdig`,
  unsigned: 'Nicht signiert',
  byUpgrade: 'von einer Aktualisierung übernommen: bitte prüfen',
  choose: 'Bestimmen',
  withdraw: 'Zurückziehen',
  chooseTitle: (platform) => `Agent für ${platform} bestimmen`,
  chooseText:
    'Jeder neue Computer führt dieses Paket als root oder SYSTEM aus. Prüfen Sie, wer es signiert und importiert hat.',
  chooseLabel: 'Paket',
  importedBy: (name) => `importiert von ${name}`,
  noCandidates:
    'Es gibt kein Paket des Agenten. Importieren Sie das Paket, das npm run package erstellt hat, und geben Sie es frei.',
  withdrawTitle: (platform) => `Agent für ${platform} zurückziehen?`,
  withdrawText: 'Neue Computer erhalten von Muster keinen Agenten, bis ein anderes Paket bestimmt ist.',
  designated: 'Bestimmt',
  withdrawn: 'Zurückgezogen',
}
