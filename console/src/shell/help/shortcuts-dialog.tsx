import { Kbd, Stack, Table, Title } from '@mantine/core'
import { Fragment } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { useHelpTexts } from '../../texts/help-texts.ts'
import { commandKey } from './command-key.ts'

type Shortcut = { keys: string[]; effect: string }

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const texts = useHelpTexts()
  const { keys } = texts
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.shortcuts}>
      <Stack gap="lg">
        <Shortcuts
          title={texts.everywhere}
          shortcuts={[
            { keys: [`${commandKey} K`], effect: keys.find },
            { keys: ['?'], effect: keys.shortcuts },
            { keys: ['Esc'], effect: keys.escape },
            { keys: ['Tab'], effect: keys.skip },
          ]}
        />
        <Shortcuts
          title={texts.inTables}
          shortcuts={[
            { keys: ['↓', '↑'], effect: keys.rows },
            { keys: ['Page Down', 'Page Up'], effect: keys.page },
            { keys: ['Home', 'End'], effect: keys.ends },
            { keys: ['Space'], effect: keys.select },
            { keys: ['Shift ↓', 'Shift ↑'], effect: keys.extend },
            { keys: ['Enter'], effect: keys.open },
          ]}
        />
        <Shortcuts
          title={texts.inTree}
          shortcuts={[
            { keys: ['↓', '↑'], effect: keys.rows },
            { keys: ['→', '←'], effect: keys.branches },
            { keys: ['A … Z'], effect: keys.letters },
          ]}
        />
      </Stack>
    </Dialog>
  )
}

function Shortcuts({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  const texts = useHelpTexts()
  return (
    <section>
      <Title order={2} size="sm" mb={4}>
        {title}
      </Title>
      <Table aria-label={title} layout="fixed">
        <Table.Tbody>
          {shortcuts.map(({ keys, effect }) => (
            <Table.Tr key={effect}>
              <Table.Th scope="row" w="45%">
                {keys.map((key, at) => (
                  <Fragment key={key}>
                    {at > 0 && ` ${texts.or} `}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Th>
              <Table.Td>{effect}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
