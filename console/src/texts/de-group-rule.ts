import type { enGroupRule } from './en-group-rule.ts'

const computers = (count: number) => (count === 1 ? '1 Computer' : `${count} Computer`)

export const deGroupRule: typeof enGroupRule = {
  title: 'Regel',
  noRule: 'Keine Regel: Personen und Registrierungstoken bestimmen die Mitglieder.',
  membersByRule: (count) => `${computers(count)} durch die Regel hinzugefügt`,
  excluded: (count) => `${computers(count)} von Personen entfernt; die Regel fügt sie nicht wieder hinzu`,
  limit: (count) => `Ohne Bestätigung wechseln innerhalb einer Stunde höchstens ${computers(count)}.`,
  restless: (count) =>
    `${computers(count)} ${count === 1 ? 'bleibt, wo er ist, weil er ständig wechselt' : 'bleiben, wo sie sind, weil sie ständig wechseln'}`,
  warning: 'Computer bestimmen durch ihre Angaben, ob sie Mitglied werden',
  warnings: {
    ReportedProperties:
      'Betriebssystem, Modell und Netz meldet ein Computer selbst. Ein Agent, der etwas Falsches meldet, wird Mitglied und erhält, ' +
      'was die Gruppe zuweist. Wählen Sie Mitglieder nach Namen oder Tags aus, bevor diese Gruppe oder eine übergeordnete geheime Werte erhält.',
    ReportedPropertiesGiveSecrets:
      'Betriebssystem, Modell und Netz meldet ein Computer selbst. Ein Agent, der etwas Falsches meldet, wird Mitglied und erhält ' +
      'die geheimen Werte, die die Gruppe hat oder erbt. Wählen Sie Mitglieder nach Namen oder Tags aus, oder setzen Sie die ' +
      'geheimen Werte an einer anderen Gruppe.',
    SecretForReportedProperties:
      'Eine Regel fügt dieser Gruppe oder einer untergeordneten Computer nach ihren eigenen Angaben hinzu. Ein Agent, der etwas ' +
      'Falsches meldet, wird Mitglied und erhält diesen geheimen Wert. Wählen Sie Mitglieder nach Namen oder Tags aus, oder setzen ' +
      'Sie den Wert an einer anderen Gruppe.',
  },
  stopped: 'Die Regel wurde angehalten',
  stoppedText: (joining, leaving) =>
    `${computers(joining)} wären hinzugekommen und ${computers(leaving)} ausgeschieden: mehr, als die Regel innerhalb einer Stunde ` +
    'erlaubt. Die Mitglieder ändern sich erst wieder, wenn Sie die Regel geprüft und erneut gesetzt haben.',
  create: 'Regel hinzufügen',
  edit: 'Regel bearbeiten',
  confirm: 'Prüfen und erneut setzen',
  remove: 'Regel entfernen',
  byRule: 'Durch Regel',
  author: 'Hinzugefügt',
  byHand: 'Von Personen',
  panelTitle: (group) => `Regel von ${group}`,
  set: 'Regel setzen',
  removes: (count) => `Die Regel wird entfernt. Die ${computers(count)}, die sie hinzugefügt hat, bleiben Mitglieder.`,
  isRemoved: 'Die Regel wurde entfernt.',
  isSet: (joined, left) => `${computers(joined)} hinzugekommen, ${computers(left)} ausgeschieden.`,
  effect: (joining, leaving) =>
    `${computers(joining)} ${joining === 1 ? 'kommt' : 'kommen'} jetzt hinzu, ${computers(leaving)} ${leaving === 1 ? 'scheidet' : 'scheiden'} aus.`,
  joins: 'Kommt hinzu',
  leaves: 'Scheidet aus',
  more: (count) => `und ${count} weitere`,
  blocked: (count) =>
    `${computers(count)} ${count === 1 ? 'passt' : 'passen'}, ${count === 1 ? 'bleibt' : 'bleiben'} aber in einer anderen Konfigurationsgruppe.`,
  fieldsHint:
    'Ein Wert pro Zeile. Ein Computer passt, wenn er von jedem Feld einen der Werte hat. * steht für beliebigen Text, ? für ein Zeichen.',
  fields: {
    names: 'Namen',
    domains: 'Domänen',
    operatingSystems: 'Betriebssysteme',
    models: 'Modelle',
    networks: 'Netze (CIDR)',
    tags: 'Tags',
    maxChangesPerHour: 'Wechsel innerhalb einer Stunde ohne Bestätigung',
  },
  or: ' oder ',
}
