import type { enPackageRequests } from './en-package-requests.ts'

export const dePackageRequests: typeof enPackageRequests = {
  title: 'Softwareanfragen',
  intro: 'Was Benutzer von Computern anfragen. Sie sehen Ihre Entscheidung auf ihrer Self-Service-Seite.',
  waiting: (n) => `${n.toLocaleString('de')} wartend`,
  state: 'Zustand',
  columns: { wish: 'Anfrage', computer: 'Computer', user: 'Benutzer', state: 'Zustand', actions: 'Aktionen' },
  states: { Pending: 'Wartet', Approved: 'Genehmigt', Declined: 'Abgelehnt' },
  emptyTitle: 'Keine Anfragen',
  emptyText: 'Hier erscheinen Anfragen, die Benutzer mit muster-agent open stellen.',
  approve: 'Genehmigen',
  approveTitle: 'Anfrage genehmigen?',
  approveText: (user, computer) =>
    `${computer} erhält das Paket, das Sie auswählen, als Mitglied von dessen Gruppe unter „Requested software“. ${user} sieht Ihre Antwort.`,
  package: 'Paket',
  answer: 'Antwort an den Benutzer (freiwillig)',
  approved: 'Das Paket ist unterwegs',
  decline: 'Ablehnen',
  declineTitle: 'Anfrage ablehnen?',
  declineText: (user) => `${user} sieht Ihre Antwort.`,
  declineAnswer: 'Grund',
  declined: 'Abgelehnt',
}
