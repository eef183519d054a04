import { Anchor, Button, Text } from '@mantine/core'
import { Link } from 'react-router'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas } from '../../api/client.ts'
import { useListPages } from '../../api/list-pages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { LoadMore } from '../../components/load-more.tsx'
import { SidePanel } from '../../components/side-panel.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { StatusKind } from '../../components/status-kinds.ts'
import { usePatchPolicyTexts } from '../../texts/patch-policy-texts.ts'
import { type PatchProgress, policiesKey } from '../patch-policies/policies.ts'

type Rollback = Schemas['PatchRollbackOfComputer']
type Target = { policyId: number; patch: PatchProgress }

const kinds: Record<Rollback['state'], StatusKind> = { Waiting: 'neutral', RolledBack: 'good', NotRolledBack: 'bad' }

/** Opens the computers that roll a stopped patch back. */
export function RollbackButton(target: Target) {
  const { progress } = usePatchPolicyTexts()
  const { shown, open, onClose } = usePanels<'rollbacks'>()
  const { label, of } = progress.rollbacks
  return (
    <>
      <Button
        variant="default"
        size="xs"
        mt={4}
        aria-label={of(target.patch.patchName)}
        onClick={() => open('rollbacks', undefined)}
      >
        {label}
      </Button>
      {shown && <RollbackPanel key={shown.number} {...target} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

function RollbackPanel({ policyId, patch: { patchId, productId, patchName }, isOpen, onClose }: Target & PanelProps) {
  const { progress } = usePatchPolicyTexts()
  const texts = progress.rollbacks
  const pages = useListPages({
    queryKey: [...policiesKey, policyId, 'rollbacks', patchId, productId],
    load: (page) =>
      api.GET('/api/patch-policies/{id}/progress/{patchId}/rollbacks', {
        params: { path: { id: policyId, patchId }, query: { top: 50, productId, ...page } },
      }),
  })
  const columns: Column<Rollback>[] = [
    {
      id: 'computer',
      title: texts.computer,
      cell: ({ clientId, hostname }) => (
        <Anchor component={Link} to={`/computers/${clientId}`} size="sm" className="breakable">
          {hostname}
        </Anchor>
      ),
    },
    {
      id: 'state',
      title: progress.state,
      cell: ({ state, message }) => (
        <>
          <StatusBadge kind={kinds[state]}>{texts.states[state]}</StatusBadge>
          <Text size="xs" c="dimmed" className="breakable">
            {message}
          </Text>
        </>
      ),
    },
  ]
  return (
    <SidePanel isOpen={isOpen} onClose={onClose} title={texts.of(patchName)}>
      <DataTable
        caption={texts.of(patchName)}
        columns={columns}
        rows={pages.rows}
        rowKey={({ clientId, productId: product }) => `${clientId}-${product}`}
        error={pages.error}
        onRetry={pages.refetch}
        empty={{ title: texts.emptyTitle, text: texts.emptyText }}
        footer={<LoadMore query={pages} />}
      />
    </SidePanel>
  )
}
