import type { enProposal } from './en-proposal.ts'

export const deProposal: typeof enProposal = {
  submit: 'Paket erstellen',
  manual: 'Manifest selbst schreiben',
  intro: (guesses) =>
    guesses === 0
      ? 'Das wurde aus der Datei gelesen. Korrigieren Sie, was anders sein soll.'
      : `Das wurde aus der Datei gelesen. ${guesses === 1 ? 'Ein Wert ist geraten: Prüfen Sie ihn' : `${guesses} Werte sind geraten: Prüfen Sie sie`}, und testen Sie das Paket zuerst auf einem Computer.`,
  renamed: (name) => `Im Paket heißt die Datei ${name}.`,
  warnings: 'Bitte beachten',
  implied: 'Das übernimmt der Agent selbst',
  requirements: 'Voraussetzungen auf den Computern',
  notes: 'Weitere Angaben der Datei',
  script: (name) => `Was ${name} tut`,
  scriptIsCut: 'Nur der Anfang wird gezeigt.',
  confidences: { certain: 'Sicher', likely: 'Wahrscheinlich', guess: 'Geraten' },
  requirementKinds: {
    architecture: 'Architektur',
    dependency: 'Weitere Software',
    condition: 'Bedingung',
    runtime: 'Laufzeitumgebung',
  },
  forms: {
    text: '',
    longText: '',
    lines: '(ein Argument pro Zeile)',
    texts: '(durch Kommas getrennt)',
    numbers: '(durch Kommas getrennt)',
    json: '(JSON)',
  },
  properties: {
    name: 'Name',
    version: 'Version',
    displayName: 'Anzeigename',
    author: 'Hersteller',
    description: 'Beschreibung',
    operatingSystems: 'Betriebssysteme',
    'onlyFor.architectures': 'Nur für die Architekturen',
    'onlyFor.osVersion.min': 'Niedrigste Version des Betriebssystems',
    'msi.properties': 'Eigenschaft der MSI-Datei',
    'commands.install.argv': 'Installationsbefehl',
    'commands.install.shell': 'Installationsbefehl der Shell',
    'commands.install.successCodes': 'Rückgabewerte bei Erfolg',
    'commands.install.rebootCodes': 'Rückgabewerte, die einen Neustart erfordern',
    'commands.uninstall.argv': 'Deinstallationsbefehl',
    'commands.uninstall.shell': 'Deinstallationsbefehl der Shell',
    'commands.uninstall': 'Deinstallation',
    'commands.detect.argv': 'Erkennungsbefehl',
    'commands.detect.shell': 'Erkennungsbefehl der Shell',
    'commands.detect': 'Erkennung',
  },
}
