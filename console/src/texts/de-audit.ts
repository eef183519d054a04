import { deAuditSentences } from './de-audit-sentences.ts'
import type { Texts } from './en.ts'

export const deAudit: Texts['audit'] = {
  title: 'Protokoll',
  intro: 'Jede Änderung über die API, die neueste zuerst.',
  columns: {
    time: 'Zeit',
    principal: 'Zugang',
    what: 'Was geschah',
    operation: 'Operation',
    target: 'Ziel',
    status: 'Status',
  },
  principal: 'Zugang',
  operation: 'Operation',
  target: 'Ziel',
  targetHint: 'Pfad einer Ressource; schließt alles darunter ein',
  after: 'Von',
  before: 'Bis',
  show: 'Anzeigen',
  emptyTitle: 'Noch keine Änderungen',
  emptyText: 'Änderungen erscheinen hier, sobald sie erfolgen.',
  entryTitle: (id) => `Eintrag ${id}`,
  details: (id) => `Details zu Eintrag ${id}`,
  request: 'Anfrage ohne Geheimnisse',
  requestId: 'Anfrage-ID',
  hash: 'Hash',
  hashHint: 'Umfasst diesen und alle früheren Einträge. npm run verify-audit prüft das gesamte Protokoll.',
  sameTarget: 'Alle Einträge zu diesem Ziel',
  sentences: deAuditSentences,
  andMore: (n) => `und ${n.toLocaleString('de')} weitere`,
  samePrincipal: 'Alle Einträge dieses Zugangs',
}
