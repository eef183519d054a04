import type { Texts } from './en.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deSignIn: Texts['signIn'] = {
  title: 'Anmelden',
  intro: 'Ihre Rechner im Blick und im Griff.',
  byLink: 'Anmeldung mit dem Link …',
  clientId: 'Client-ID',
  clientSecret: 'Client-Secret',
  showSecret: 'Secret anzeigen oder verbergen',
  submit: 'Anmelden',
  withProvider: (name) => `Anmelden mit ${name}`,
  or: 'oder mit Client-ID und Secret',
  nothingOffered: 'In der Konfiguration des Dienstes ist keine Anmeldemethode aktiviert.',
  signedOut: 'Sie sind abgemeldet.',
  errors: {
    UnknownUser:
      'Der Identitätsanbieter kennt Sie, Muster aber nicht. Ein Administrator muss einen Zugang für Sie anlegen.',
    RoleRequired: 'Sie haben einen Zugang, aber noch keine Rolle. Ein Administrator muss Ihnen eine zuweisen.',
    SignInLinkInvalid:
      'Dieser Link wurde schon verwendet oder ist älter als zehn Minuten. npm run admin -- link gibt einen neuen aus.',
    SignInLinkNotLocal:
      'Ohne HTTPS funktionieren Anmeldelinks nur in einem Browser auf dem Rechner des Dienstes und ohne Proxy.',
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
  /** For an administrator who has no other role. */
  ownRoles: {
    title: 'Zugriff auf die Rechner erhalten',
    text: 'Sie dürfen Zugänge verwalten, aber Rechner weder sehen noch ändern. Als Administrator können Sie sich die übrigen Rollen selbst zuweisen. Das Protokoll zeigt es.',
    review: 'Rollen prüfen',
    grant: 'Mir diese Rollen zuweisen',
    describe: (name, count) => `${name} erhält ${count} Rollen. Sie gelten sofort.`,
    done: 'Sie haben jetzt alle Rollen.',
  },
}
