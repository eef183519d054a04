import type { Texts } from './en.ts'

export const deProblems: Texts['problems'] = {
  failed: 'Anfrage fehlgeschlagen',
  offline: 'Sie sind offline.',
  unreachable: 'Der Dienst ist nicht erreichbar.',
  sessionHadEnded: 'Ihre Sitzung war abgelaufen.',
  inputKept: 'Ihre Eingaben bleiben erhalten: Versuchen Sie es erneut.',
  atField: 'Was nicht stimmt, steht am Feld.',
  refused: {
    input: 'Der Dienst nimmt die Eingaben nicht an.',
    role: 'Dafür fehlt Ihnen eine Rolle.',
    gone: 'Das gibt es nicht oder nicht mehr.',
    state: 'Das ist zurzeit nicht möglich.',
    busy: 'Der Dienst ist ausgelastet.',
    fault: 'Der Dienst konnte dies nicht ausführen.',
  },
  details: 'Einzelheiten',
  requestId: (id) => `Anfrage ${id}`,
  changedTitle: 'Von jemand anderem geändert',
  changedHint:
    'Seit Sie die Seite geöffnet haben, wurden Änderungen gespeichert. Änderungen an verschiedenen Werten werden zusammengeführt. Wo beide denselben Wert geändert haben, wählen Sie einen.',
  changedMeanwhile: 'Jemand anderes hat dies inzwischen geändert. Prüfen Sie den Unterschied, bevor Sie entscheiden.',
  field: 'Feld',
  mine: 'Ihr Wert',
  theirs: 'Anderer Wert',
  result: 'Ergebnis',
  chooseOne: 'Bitte wählen',
  before: 'Vorher',
  now: 'Jetzt',
  seen: 'Ich habe die Änderungen gesehen',
  keepChosen: 'Auswahl speichern',
  takeTheirs: 'Meine Änderungen verwerfen',
}
