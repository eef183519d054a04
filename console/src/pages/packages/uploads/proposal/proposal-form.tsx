import { Alert, Badge, Checkbox, Code, List, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { statusColours } from '../../../../components/status-kinds.ts'
import { labelOf, useProposalTexts } from '../../../../texts/proposal-texts.ts'
import { useUploadTexts } from '../../../../texts/upload-texts.ts'
import { findFieldOf, keyOf, type PackageProposal, type ProposalField, scriptsOf } from './proposal-fields.ts'

/** Why the service refuses the manifest. The property is empty if it is not a single one. */
export type Fault = { property: string; reason: string }

/** What the form needs of a proposal, whatever it was made of. */
export type ShownProposal = Pick<PackageProposal, 'fileName' | 'lines' | 'requirements' | 'warnings'> &
  Partial<Pick<PackageProposal, 'facts' | 'notes'>>

type ProposalFormProps = {
  proposal: ShownProposal
  fields: readonly ProposalField[]
  textOf: (field: ProposalField) => string
  onText: (field: ProposalField, text: string) => void
  fault: Fault | undefined
  /** Whether the file has another name in the package. */
  isRenamed: boolean
  overwrite: boolean
  setOverwrite: (overwrite: boolean) => void
}

export function ProposalForm(props: ProposalFormProps) {
  const { proposal, fields, textOf, onText, fault, isRenamed, overwrite, setOverwrite } = props
  const texts = useProposalTexts()
  const uploads = useUploadTexts()
  const faulty = fault && findFieldOf(fields, fault.property)
  const guesses = fields.filter(({ origin }) => origin?.confidence === 'guess').length
  return (
    <Stack gap="sm">
      <Text size="sm">{texts.intro(guesses)}</Text>
      {isRenamed && <Text size="sm">{texts.renamed(proposal.fileName)}</Text>}
      {proposal.warnings.length > 0 && (
        <Alert color="orange" title={texts.warnings}>
          <TextList items={proposal.warnings} />
        </Alert>
      )}
      <Scripts proposal={proposal} />
      {fields.map((field) => (
        <Field
          key={keyOf(field)}
          field={field}
          text={textOf(field)}
          onText={(text) => onText(field, text)}
          {...(fault && field === faulty && { error: fault.reason })}
        />
      ))}
      {fault && !faulty && <Alert color="red">{fault.reason}</Alert>}
      <Implied proposal={proposal} />
      <Requirements proposal={proposal} />
      <Notes notes={proposal.notes ?? []} />
      <Checkbox
        label={uploads.overwrite}
        description={uploads.overwriteHint}
        checked={overwrite}
        onChange={(event) => setOverwrite(event.currentTarget.checked)}
      />
    </Stack>
  )
}

type FieldProps = { field: ProposalField; text: string; onText: (text: string) => void; error?: string }

function Field({ field, text, onText, error }: FieldProps) {
  const texts = useProposalTexts()
  const { path, form, origin } = field
  const isName = keyOf(field) === 'name'
  const shared = {
    ...(isName && { 'data-autofocus': true }),
    label: [labelOf(texts, path), texts.forms[form]].filter(Boolean).join(' '),
    description: origin && <Origin {...origin} />,
    value: text,
    error,
    spellCheck: false,
    autoComplete: 'off',
  }
  return form === 'lines' || form === 'longText' ? (
    <Textarea {...shared} onChange={(event) => onText(event.currentTarget.value)} autosize minRows={1} maxRows={12} />
  ) : (
    <TextInput {...shared} onChange={(event) => onText(event.currentTarget.value)} />
  )
}

type Confidence = PackageProposal['lines'][number]['confidence']

const colours: Record<Confidence, string> = {
  certain: statusColours.good,
  likely: statusColours.neutral,
  guess: statusColours.warning,
}

/** How sure a value is, and why. Descriptions of fields contain texts only. */
function Origin({ confidence, reason }: { confidence: Confidence; reason: string }) {
  const { confidences } = useProposalTexts()
  return (
    <>
      <Badge component="span" size="sm" color={colours[confidence]}>
        {confidences[confidence]}
      </Badge>{' '}
      {reason}
    </>
  )
}

function Implied({ proposal }: { proposal: ShownProposal }) {
  const texts = useProposalTexts()
  const lines = proposal.lines.filter(({ isImplied }) => isImplied)
  if (lines.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {texts.implied}
      </Text>
      <TextList items={lines.map(({ property, value }) => `${labelOf(texts, property.split('.'))}: ${shown(value)}`)} />
    </Stack>
  )
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function Requirements({ proposal: { requirements } }: { proposal: ShownProposal }) {
  const texts = useProposalTexts()
  if (requirements.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {texts.requirements}
      </Text>
      <TextList items={requirements.map(({ kind, value }) => `${texts.requirementKinds[kind]}: ${value}`)} />
    </Stack>
  )
}

function Notes({ notes }: { notes: readonly string[] }) {
  const texts = useProposalTexts()
  if (notes.length === 0) return null
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {texts.notes}
      </Text>
      <TextList items={notes} />
    </Stack>
  )
}

/** What the installer runs as root or as the system account, before a person decides about it. */
function Scripts({ proposal }: { proposal: ShownProposal }) {
  const texts = useProposalTexts()
  return scriptsOf(proposal).map(({ name, text, isComplete }) => (
    <Stack key={name} gap={4}>
      <Text size="sm" fw={500} className="breakable">
        {texts.script(name)}
      </Text>
      <Code block className="wrapped" mah={240} tabIndex={0} role="group" aria-label={texts.script(name)}>
        {text}
      </Code>
      {!isComplete && (
        <Text size="sm" c="dimmed">
          {texts.scriptIsCut}
        </Text>
      )}
    </Stack>
  ))
}

/** Texts of the file, of any length. */
function TextList({ items }: { items: readonly string[] }) {
  return (
    <List size="sm" className="breakable">
      {items.map((item) => (
        <List.Item key={item}>{item}</List.Item>
      ))}
    </List>
  )
}
