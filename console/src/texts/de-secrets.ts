import type { enSecrets } from './en-secrets.ts'

export const deSecrets: typeof enSecrets = {
  title: 'Secrets',
  create: 'Neues Secret',
  submit: 'Secret erzeugen',
  overlap: 'Bisherige Secrets bleiben gültig',
  overlapHint: 'Stellen Sie das Programm in dieser Zeit auf das neue Secret um.',
  overlaps: { day: '24 Stunden', days7: '7 Tage', days30: '30 Tage', none: 'nicht: sofort beenden' },
  createdAt: (at) => `Erzeugt: ${at}`,
  lastUsed: (at) => `Zuletzt genutzt: ${at}`,
  endsAt: (at) => `Gültig bis ${at}`,
  deleteLabel: (created) => `Secret löschen, erzeugt: ${created}`,
  deleteTitle: 'Dieses Secret löschen?',
  deleteText: (created, lastUsed) =>
    `Das Secret (erzeugt: ${created}, zuletzt genutzt: ${lastUsed}) wird ab sofort abgelehnt, und die Sitzungen dieses Zugangs enden. Bereits ausgestellte Token bleiben bis zu ihrem Ablauf gültig.`,
  deleted: 'Secret gelöscht',
  storeTitle: 'Speichern Sie dieses Secret jetzt',
  storeWarning:
    'Es wird nur einmal angezeigt und kann später nicht mehr abgerufen werden. Kopieren Sie es an einen sicheren Ort.',
  secret: 'Client-Secret',
  metricsToken: 'Token für Metriken',
  stored: 'Ich habe das Secret gespeichert',
}
