import type { Texts } from './en.ts'

const computers = (n: number) => `${n.toLocaleString('de')} Computer`

const onComputers = (n: number) => `${n.toLocaleString('de')} ${n === 1 ? 'Computer' : 'Computern'}`

export const deActions: Texts['actions'] = {
  reviewing: 'Wird ausprobiert',
  computers,
  noComputers: 'Kein Computer ist betroffen.',
  away: (n) =>
    `${computers(n)} ${n === 1 ? 'hat' : 'haben'} sich seit 7 Tagen nicht gemeldet und ${n === 1 ? 'folgt' : 'folgen'} bei der nächsten Meldung.`,
  planned: {
    install: (n) => `installieren${n === null ? '' : ` auf ${onComputers(n)}`}`,
    remove: (n) => `entfernen${n === null ? '' : ` von ${onComputers(n)}`}`,
    offer: (n) => `dem Benutzer anbieten${n === null ? '' : ` auf ${onComputers(n)}`}`,
    pending: (n) => `schon unterwegs${n === null ? '' : ` auf ${onComputers(n)}`}`,
    nothingToDo: (n) => `nichts zu tun${n === null ? '' : ` auf ${onComputers(n)}`}`,
    notApplicable: (n) => `nicht anwendbar${n === null ? '' : ` auf ${onComputers(n)}`}`,
    inTotal: (what) => `Insgesamt: ${what}.`,
    requiredBy: (names: string) => `wegen ${names}`,
    andMore: (n) => `und ${n.toLocaleString('de')} weitere`,
  },
  typeCount: (n) => `Zum Bestätigen die Anzahl der Computer (${n}) eingeben`,
  otherCount: 'Die Anzahl der Computer hat sich seither geändert. Nichts wurde getan. Prüfen und erneut bestätigen.',
  changedMeanwhile: 'Jemand anderes hat dies seither geändert. Nichts wurde getan. Prüfen und erneut bestätigen.',
  approvalTitle: 'Ein zweiter Administrator muss zustimmen',
  approvalText:
    'Das Kontingent für einschneidende Aktionen ist überschritten. Die Anfrage wartet 24 Stunden; noch wurde nichts getan.',
  approvalNeeded: (n, quota, used) =>
    `Betroffen: ${computers(n)}. ${used === null ? '' : `Mit einschneidenden Aktionen dürfen Sie innerhalb einer Stunde ${computers(quota)} erreichen; bisher ${used === 1 ? 'war' : 'waren'} es ${used.toLocaleString('de')}. `}Wenn Sie die Genehmigung beantragen, wartet die Änderung 24 Stunden auf einen zweiten Administrator.`,
  requestApproval: 'Genehmigung beantragen',
  approvalOfWaveText:
    'Die Welle entfernt Software von mehr Computern, als ohne Genehmigung erlaubt ist. Die Anfrage wartet 24 Stunden; noch wurde nichts getan.',
  undo: 'Rückgängig',
  changedByOthers: 'Jemand anderes hat dies geändert, während Sie es bearbeiten',
  changedField: (name, before, now) => `${name}: ${before} → ${now}`,
  nothing: 'nichts',
  yes: 'Ja',
  no: 'Nein',
}
