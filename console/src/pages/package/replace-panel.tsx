import { Checkbox, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { api } from '../../api/client.ts'
import type { PackagePageData } from '../../api/packages.ts'
import type { components } from '../../api/types.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { PackageField } from './package-field.tsx'

type Replacement = components['schemas']['PackageReplacementResult']

type ReplacePanelProps = { isOpen: boolean; onClose: () => void; page: PackagePageData }

/** Replaces the package in every group that assigns it. The dry run says what becomes of each group. */
export function ReplacePanel({ isOpen, onClose, page: { package: found, versions } }: ReplacePanelProps) {
  const { actions } = useTexts().packages
  const [newPackageId, setNewPackageId] = useState('')
  const [copyDistributionOptions, setCopyOptions] = useState(true)
  const body = { oldPackageId: found.id, newPackageId, copyDistributionOptions }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: actions.replaceTitle([found.name, found.version].filter(Boolean).join(' ')),
        label: actions.replace,
        requestKey: body,
        isComplete: newPackageId !== '',
        form: (
          <Stack gap="sm">
            <PackageField
              label={actions.replaceBy}
              value={newPackageId}
              onChange={setNewPackageId}
              suggested={versions.map((version) => ({ ...version, name: found.name }))}
              kind={found.kind}
              excludedId={found.id}
            />
            <Checkbox
              label={actions.copyOptions}
              checked={copyDistributionOptions}
              onChange={(event) => setCopyOptions(event.currentTarget.checked)}
            />
          </Stack>
        ),
        send: ({ query, headers }) =>
          api.POST('/api/group/package-replacement', { params: { query, header: headers }, body }),
        describe: ({ answer, computers = 0 }) => actions.replaces(answer.succeeded, computers),
        details: ({ answer }) => <Effects answer={answer} />,
        done: ({ succeeded }) => ({ text: actions.replaced(succeeded), to: `/packages/${newPackageId}` }),
        refreshes: [['package'], ['packages'], ['groups'], ['group']],
      }}
    />
  )
}

function Effects({ answer: { failed, results } }: { answer: Replacement }) {
  const { actions, page } = useTexts().packages
  if (results.length === 0) return null
  return (
    <>
      {failed > 0 && <Text size="sm">{actions.replaceFails(failed)}</Text>}
      <Table aria-label={page.groups}>
        <Table.Tbody>
          {results.map(({ groupId, groupPath, status, success }) => (
            <Table.Tr key={groupId}>
              <Table.Td className="breakable">{groupPath}</Table.Td>
              <Table.Td ta="end">
                <StatusBadge kind={success ? 'good' : 'warning'}>{actions.replacementStatuses[status]}</StatusBadge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}
