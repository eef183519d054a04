import { Button, Fieldset, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api } from '../../api/client.ts'
import { IconPlus } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useComputerRecordTexts } from '../../texts/computer-record-texts.ts'
import { ComputerFields, emptyRecord } from './computer-fields.tsx'

/** The button that creates a computer before its agent enrols. */
export function CreateComputer() {
  const texts = useComputerRecordTexts()
  const { shown, open, onClose } = usePanels<'create'>()
  useAskedPanel('createComputer', () => open('create', undefined))
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        fw={500}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => open('create', undefined)}
      >
        {texts.create}
      </Button>
      {shown && <CreatePanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

const addressNames = ['ipAddress', 'subnetMask', 'standardGateway'] as const

const noAddress = { ipAddress: '', subnetMask: '', standardGateway: '' }

function CreatePanel(panel: PanelProps) {
  const texts = useComputerRecordTexts()
  const [typed, setTyped] = useState({ ...emptyRecord, ...noAddress })
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changes }))
  const isNamed = typed.hostname.trim() !== '' && typed.domain.trim() !== ''
  const isRecognisable = typed.macAddress.trim() !== '' || typed.uuid.trim() !== ''
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.create,
        label: texts.create,
        requestKey: settled,
        isComplete: isNamed && isRecognisable && settled === typed,
        form: (
          <Stack gap="sm">
            <ComputerFields record={typed} onChange={change} />
            <Fieldset legend={texts.staticAddress}>
              <Stack gap="sm">
                <Text size="xs" c="dimmed">
                  {texts.staticAddressHint}
                </Text>
                {addressNames.map((name) => (
                  <NamedField key={name} name={name}>
                    <TextInput
                      label={texts[name]}
                      autoComplete="off"
                      value={typed[name]}
                      onChange={(event) => change({ [name]: event.currentTarget.value })}
                    />
                  </NamedField>
                ))}
              </Stack>
            </Fieldset>
            {isNamed && !isRecognisable && <Text size="sm">{texts.needsAddress}</Text>}
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer', {
            params: { query, header: headers },
            body: toRequest(typed),
          }),
        describe: ({ answer }) => texts.creates(answer.hostname),
        done: ({ id, hostname }) => ({ text: texts.created(hostname), to: `/computers/${id}` }),
        refreshes: [['computers'], ['overview']],
      }}
    />
  )
}

/** The request without the texts that are empty: the service checks the format of those that are not. */
function toRequest({ hostname, domain, isDomain, pxeSupport, ...details }: typeof emptyRecord & typeof noAddress) {
  const given = Object.entries(details).filter(([, value]) => value.trim() !== '')
  return { name: hostname, domain, isDomain, pxeSupport, ...Object.fromEntries(given) }
}
