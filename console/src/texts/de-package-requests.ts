import type { enPackageRequests } from './en-package-requests.ts'

export const dePackageRequests: typeof enPackageRequests = {
  intro: 'Was Benutzer von Computern anfragen. Sie sehen Ihre Entscheidung.',
  state: 'Zustand',
  columns: { wish: 'Anfrage', computer: 'Computer', user: 'Benutzer', state: 'Zustand', actions: 'Aktionen' },
  states: { Pending: 'Wartet', Approved: 'Genehmigt', Declined: 'Abgelehnt' },
  emptyTitle: 'Keine Anfragen',
  emptyText: 'Benutzer fragen mit muster-agent open an.',
  approve: 'Genehmigen',
  approveTitle: 'Anfrage genehmigen?',
  approveText: (user, computer) =>
    `${computer} wird Mitglied der Gruppe des Pakets unter „Requested software“. ${user} sieht Ihre Antwort.`,
  package: 'Paket',
  answer: 'Antwort an den Benutzer (freiwillig)',
  approved: 'Das Paket ist unterwegs',
  decline: 'Ablehnen',
  declineTitle: 'Anfrage ablehnen?',
  declineText: (user) => `${user} sieht Ihre Antwort.`,
  declineAnswer: 'Grund',
}
