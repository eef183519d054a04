import type { enSoftware } from './en-software.ts'

const number = (n: number) => n.toLocaleString('de')

export const deSoftware: typeof enSoftware = {
  title: 'Software',
  intro: 'Wer welche Version eines Programms hat, nach dem letzten Inventar jedes Computers.',
  name: 'Name',
  nameHint: 'Der vollständige Name; * steht für beliebigen Text, etwa Mozilla Firefox*',
  namePlaceholder: 'openssl',
  condition: 'Version',
  conditions: { any: 'Jede Version', below: 'Älter als', atLeast: 'Mindestens', equal: 'Gleich' },
  version: 'Vergleichsversion',
  versionPlaceholder: '3.0.16',
  begin: 'Geben Sie den Namen eines Programms ein',
  beginHint: 'Zum Beispiel openssl, um zu sehen, welche Versionen wo installiert sind.',
  found: (n, versions) =>
    `${number(n)} Computer mit ${number(versions)} passenden ${versions === 1 ? 'Version' : 'Versionen'}`,
  unknown: (n) =>
    n === 1
      ? '1 Version dieses Namens lässt sich nicht vergleichen und ist nicht aufgeführt.'
      : `${number(n)} Versionen dieses Namens lassen sich nicht vergleichen und sind nicht aufgeführt.`,
  nothing: 'Kein Computer hat sie',
  nothingHint: 'Kein Inventar meldet Software dieses Namens, die die Bedingung erfüllt.',
  similar: 'Namen, die das enthalten:',
  order:
    'Versionen werden wie von dpkg und rpm verglichen, sonst als Zahlen. Epoche und Revision zählen nur, wenn Sie sie angeben.',
  columns: { name: 'Name', version: 'Version', publisher: 'Hersteller', computers: 'Computer' },
  noVersion: 'Unbekannt',
  list: 'Versionen der Software',
  showComputers: (n) => `${number(n)} Computer öffnen`,
  showHint: 'Dort können Sie sie auswählen, um zu verteilen, sie einer Gruppe hinzuzufügen oder neu zu starten.',
  csv: 'Computer als CSV herunterladen',
  packages: (name) => `Pakete namens ${name}`,
}
