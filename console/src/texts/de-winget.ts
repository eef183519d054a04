import type { enWinget } from './en-winget.ts'

export const deWinget: typeof enWinget = {
  open: 'Aus winget',
  title: 'Paket aus einem winget-Manifest hinzufügen',
  search: 'Paketkennung',
  searchHint: 'Mindestens zwei Zeichen, zum Beispiel 7zip. Durchsucht die Manifeste im Paketspeicher.',
  results: 'Gefundene Pakete',
  found: (identifier, version) => `${identifier} ${version}`,
  nothingFound: 'Kein Paket hat eine solche Kennung.',
  incomplete: 'Es gibt mehr Pakete, als angezeigt werden. Geben Sie mehr von der Kennung ein.',
  noMirror:
    'Im Paketspeicher liegen keine winget-Manifeste. Sie können auch die Dateien eines Manifests auf dieser Seite ablegen.',
  version: 'Version',
  architecture: 'Architektur',
  other: 'Anderes Paket wählen',
  needsPerson: 'Aus keinem Installationsprogramm dieses Manifests wird von selbst ein Paket.',
  rest: (architecture, type, text) => `${architecture} ${type}: ${text}`,
  reasons: {
    userScope: 'Es installiert für eine Person, und der Agent läuft unter dem Systemkonto.',
    installerType: 'Installationsprogramme dieser Art werden nicht übernommen.',
    architecture: 'Seine Architektur ist nicht bekannt.',
    noSilence: 'Das Manifest nennt keine Schalter, mit denen es keine Fragen stellt.',
    interactive: 'Laut Manifest läuft es nur, wenn jemand es bedient.',
    elevationProhibited: 'Laut Manifest darf es nicht als Administrator laufen.',
    switches: 'Seine Schalter enthalten Zeichen, die eine Shell anders liest.',
    nestedFile: 'Der Pfad des Installationsprogramms im Archiv fehlt oder ist nicht sicher.',
    noFile: 'Das Manifest hat keine gültige Adresse oder keinen SHA-256 der Datei.',
    noProgram: 'Das Manifest sagt nicht, unter welchem Namen Windows das Programm führt.',
    invalid: 'Seine Werte sind in einem Manifest von Muster nicht gültig.',
  },
  fromUpload: (name) => `Die hochgeladene Datei ${name} ist die, die das Manifest beschreibt.`,
  fromVendor: (host) => `Der Dienst lädt das Installationsprogramm von ${host} herunter und prüft seinen Hash.`,
  missingFile: (name) =>
    `Laden Sie zuerst die Datei ${name} hoch: Legen Sie sie auf dieser Seite ab. Sie wird an ihrem Hash erkannt, auch unter anderem Namen.`,
  describe: (name) => `Legt das Paket ${name} an. Kein Computer erhält es vor der Freigabe.`,
  started: 'Der Import hat begonnen.',
}
