import type { Texts } from './en.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deSignIn: Texts['signIn'] = {
  title: 'Anmelden',
  intro: 'Verwalten Sie, wer die API nutzen darf.',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  showSecret: 'Secret anzeigen oder verbergen',
  submit: 'Anmelden',
  withProvider: (name) => `Anmelden mit ${name}`,
  or: 'oder als lokaler Administrator',
  nothingOffered: 'In der Konfiguration des Dienstes ist keine Anmeldemethode aktiviert.',
  signedOut: 'Sie sind abgemeldet.',
  errors: {
    UnknownUser:
      'Der Identitätsanbieter kennt Sie, Muster aber nicht. Ein Administrator muss einen Zugang für Sie anlegen.',
    AdministratorRequired:
      'Sie haben einen Zugang, aber die Konsole erfordert die Rolle admin.manage, die Ihnen fehlt.',
    ProviderRefused: 'Der Identitätsanbieter hat die Anmeldung abgelehnt.',
    ProviderUnavailable: 'Der Identitätsanbieter ist derzeit nicht erreichbar. Versuchen Sie es später erneut.',
    TooManyRequests: 'Zu viele Anmeldeversuche. Warten Sie eine Minute und versuchen Sie es erneut.',
    SignInExpired:
      'Die Anmeldung hat zu lange gedauert oder wurde in einem anderen Fenster gestartet. Starten Sie sie neu.',
    InvalidCredentials: 'Client-ID oder Secret ist falsch, oder der Zugang ist gesperrt oder abgelaufen.',
  },
  unknownError: (code) => `Die Anmeldung ist fehlgeschlagen (${code}).`,
  tooManyAttempts: (seconds) =>
    `Zu viele Versuche. Versuchen Sie es in ${count(seconds, 'Sekunde', 'Sekunden')} erneut.`,
  againTitle: 'Ihre Sitzung ist abgelaufen',
  againText: 'Melden Sie sich erneut an, um fortzufahren. Ihre Eingaben bleiben erhalten.',
  againElsewhere: (name) => `In einem neuen Fenster mit ${name} anmelden`,
  leave: 'Zur Anmeldeseite',
}
