import { dePanelActions } from './de-panel-actions.ts'
import type { enPalette } from './en-palette.ts'

const number = (n: number) => n.toLocaleString('de')

export const dePalette: typeof enPalette = {
  title: 'Suchen',
  search: 'Computer, Benutzer, Pakete, Patches, Gruppen und Seiten suchen',
  hint: 'Name, Seriennummer, Benutzer, KB, CVE, Seite …',
  results: 'Treffer',
  loading: 'Suche läuft …',
  nothing: (text) => `Kein Treffer für „${text}“.`,
  failed: 'Die Suche ist fehlgeschlagen. Seiten und Aktionen werden weiterhin gefunden.',
  found: (n) => `${number(n)} Treffer`,
  keys: { move: 'auswählen', open: 'öffnen', close: 'schließen' },
  groups: {
    recent: 'Zuletzt gewählt',
    pages: 'Seiten',
    actions: 'Aktionen',
    computers: 'Computer',
    users: 'Benutzer',
    packages: 'Pakete',
    groups: 'Gruppen',
    rollouts: 'Rollouts',
    cves: 'Schwachstellen',
    patches: 'Patches',
    principals: 'Zugänge',
    guides: 'Anleitungen (englisch)',
  },
  matchedBy: {
    Name: (text) => text,
    SerialNumber: (text) => `Seriennummer ${text}`,
    User: (text) => `Benutzer ${text}`,
    MacAddress: (text) => `MAC-Adresse ${text}`,
    IpAddress: (text) => `IP-Adresse ${text}`,
    Id: (text) => `ID ${text}`,
  },
  patchCount: (n) => (n === 1 ? 'durch 1 Patch behoben' : `durch ${number(n)} Patches behoben`),
  missing: (n) => (n === 1 ? 'fehlt auf 1 Computer' : `fehlt auf ${number(n)} Computern`),
  allComputers: (text) => `Computer mit „${text}“ auflisten`,
  whoHas: (text) => `Wer hat Software namens „${text}“?`,
  notReleased: 'nicht freigegeben',
  actions: {
    ...dePanelActions,
    light: 'Helle Farben',
    dark: 'Dunkle Farben',
    shortcuts: 'Tastenkürzel',
    signOut: 'Abmelden',
  },
}
