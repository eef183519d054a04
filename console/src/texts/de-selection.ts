import { deDuration } from './durations.ts'
import type { enSelection } from './en-selection.ts'

const number = (n: number) => n.toLocaleString('de')
const computers = (n: number) => `${number(n)} Computer`
const onComputers = (n: number) => `${number(n)} ${n === 1 ? 'Computer' : 'Computern'}`
const has = (n: number) => (n === 1 ? 'hat' : 'haben')

export const deSelection: typeof enSelection = {
  more: 'Weitere Aktionen',
  deploysSome: (n, all) => `Verteilt sofort an ${number(n)} von ${onComputers(all)}.`,
  deployHint: 'Um in Ringen zu verteilen, fügen Sie die Computer einer Gruppe hinzu und verteilen an diese.',
  restartsLater: (n, timeout) =>
    `Startet ${computers(n)} neu, nach bereits begonnener Arbeit. Wer angemeldet ist, hat ab dem nächsten Kontakt ${deDuration(timeout)} Zeit.`,
  install: {
    open: 'Paket installieren…',
    title: 'Ein Paket installieren',
    confirm: 'Installieren',
    describe: (name, n) => `Installiert ${name} auf ${onComputers(n)} beim nächsten Kontakt, und sonst nichts.`,
    nothing: (name) => `Nichts zu tun: ${name} ist auf diesen Computern vorhanden oder nicht für sie bestimmt.`,
    joins: (path, n) => `${computers(n)} ${n === 1 ? 'kommt' : 'kommen'} in ${path}`,
    through: (path, n) => `${computers(n)} ${has(n)} es über ${path} zugewiesen`,
    alreadyInstalled: (n) => `${computers(n)} ${has(n)} es schon.`,
    notApplicable: (n) => `Für ${computers(n)} ist es nicht bestimmt.`,
    toUninstall: (n) =>
      `${computers(n)} ${n === 1 ? 'wird' : 'werden'} ausgelassen, weil die Verteiloptionen der Gruppe Deinstallieren verlangen.`,
    done: (name) => `${name} wird installiert.`,
    undone: (n) => `${computers(n)} ${has(n)} die Gruppe verlassen. Was noch nicht begonnen hatte, wurde abgebrochen.`,
  },
  uninstall: {
    open: 'Paket deinstallieren…',
    title: 'Ein Paket deinstallieren',
    confirm: 'Deinstallieren',
    describe: (name, n) => `Deinstalliert ${name} von ${onComputers(n)} der Auswahl beim nächsten Kontakt.`,
    nothing: (name) => `Nichts zu tun: ${name} ist auf diesen Computern nicht durch eine Zuweisung installiert.`,
    groups: 'Die Verteiloptionen dieser Gruppen ändern sich auf Deinstallieren; die Zuweisungen bleiben:',
    group: (path, selected, all) => `${path}: ${number(selected)} von ${onComputers(all)} ausgewählt`,
    others: (n) =>
      n === 1
        ? 'Ein weiterer Computer dieser Gruppen deinstalliert es bei seiner nächsten Verteilung ebenfalls.'
        : `${number(n)} weitere Computer dieser Gruppen deinstallieren es bei ihrer nächsten Verteilung ebenfalls.`,
    alreadyPending: (n) => `Auf ${onComputers(n)} ist die Deinstallation schon unterwegs.`,
    notInstalled: (n) => `Auf ${onComputers(n)} ist es nicht installiert.`,
    notAssigned: (n) => `${onComputers(n)} ist es nicht zugewiesen; dort ändert sich nichts.`,
    done: (name) => `${name} wird deinstalliert.`,
    undone: (name) => `Die Gruppen installieren ${name} wieder. Was noch nicht begonnen hatte, wurde abgebrochen.`,
  },
  remove: {
    open: 'Löschen…',
    title: 'Computer löschen',
    confirm: 'Löschen',
    describe: (n) =>
      `Löscht ${computers(n)} mit Inventar, Verlauf, Variablenwerten und Zugangsdaten. Das kann nicht rückgängig gemacht werden.`,
    groupMembers: (n) =>
      `${computers(n)} ${n === 1 ? 'ist' : 'sind'} in Gruppen und ${n === 1 ? 'verlässt' : 'verlassen'} sie.`,
    depots: (n) =>
      `${number(n)} davon ${n === 1 ? 'steht als Depot' : 'stehen als Depots'} in den Listen von Gruppen, deren Computer dann anderswo herunterladen.`,
    masterServer: 'Der Hauptserver bleibt erhalten.',
    done: (n) => `${computers(n)} gelöscht.`,
  },
}
