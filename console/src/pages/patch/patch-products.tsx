import { Alert, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { api, type Schemas } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { NamedList } from '../../components/named-list.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ApprovePanel } from '../patches/approve-panel.tsx'
import classes from '../patches/patches.module.css'

type Product = Schemas['PatchPage']['products'][number]
type Approval = Schemas['PatchApproval']
type PmGroups = Schemas['PatchPage']['pmGroups']

/** The product versions of the patch. Each is approved on its own. */
export function PatchProducts({ data: { patch, products, pmGroups } }: { data: Schemas['PatchPage'] }) {
  const patches = usePatchTexts()
  const texts = patches.patch
  const format = useFormat()
  const mayApprove = useHasRole('pm.approve')
  const mayWrite = useHasRole('pm.write')
  const number = (value: number) => <span className={classes.number}>{format.number(value)}</span>
  const columns: Column<Product>[] = [
    { id: 'product', title: texts.product, cell: ({ productName }) => productName },
    { id: 'missing', title: texts.missing, cell: ({ missing }) => number(missing), width: 90 },
    { id: 'installed', title: texts.installed, cell: ({ installed }) => number(installed), width: 100 },
    { id: 'approval', title: patches.columns.approval, cell: (product) => <State product={product} />, width: 220 },
    ...(mayApprove
      ? [
          {
            id: 'change',
            title: patches.columns.change,
            cell: (product: Product) => <ApprovalButton product={product} pmGroups={pmGroups} />,
            width: 150,
          },
        ]
      : []),
  ]
  return (
    <Section title={texts.products} actions={mayApprove && mayWrite && <ApproveInto patchId={patch.patchId} />}>
      <DataTable
        caption={texts.products}
        columns={columns}
        rows={products}
        rowKey={({ productId }) => productId}
        error={null}
        onRetry={() => undefined}
        empty={{ title: patches.emptyTitle, text: patches.emptyText }}
      />
    </Section>
  )
}

function State({ product: { isApproved, approvedUtc } }: { product: Product }) {
  const patches = usePatchTexts()
  const format = useFormat()
  if (!isApproved) return <StatusBadge kind="neutral">{patches.notApproved}</StatusBadge>
  return (
    <>
      <StatusBadge kind="good">{patches.approved}</StatusBadge>
      {approvedUtc && (
        <Text size="xs" c="dimmed">
          {format.dateTime(approvedUtc)}
        </Text>
      )}
    </>
  )
}

function ApprovalButton({ product, pmGroups }: { product: Product; pmGroups: PmGroups }) {
  const { patch: texts } = usePatchTexts()
  const { isApproved, productName } = product
  const [isOpen, panel] = useDisclosure()
  const action = useApprovalChange(product, pmGroups)
  return (
    <>
      <Button
        size="compact-sm"
        variant={isApproved ? 'default' : 'filled'}
        onClick={panel.open}
        aria-label={isApproved ? texts.revokeFor(productName) : texts.approveFor(productName)}
      >
        {isApproved ? texts.revoke : texts.approve}
      </Button>
      <ReviewPanel isOpen={isOpen} onClose={panel.close} action={action} />
    </>
  )
}

/** Approves the patch for a product version, or revokes that. Each undoes the other. */
function useApprovalChange(
  { patchId, productId, productName, isApproved }: Product,
  pmGroups: PmGroups,
): ReviewedAction<Approval> {
  const patches = usePatchTexts()
  const { actions } = useTexts()
  const texts = patches.patch
  const params = { path: { patchId } }
  const refreshes = [['patches']]
  if (isApproved)
    return {
      title: texts.revokeTitle,
      label: texts.revoke,
      requestKey: ['revoke', patchId, productId],
      send: ({ query }) =>
        api.DELETE('/api/patches/{patchId}/approval', { params: { ...params, query: { productId, ...query } } }),
      describe: ({ answer }) => texts.revokeText(productName, answer.reachedComputers),
      done: () => ({
        text: texts.revokeDone,
        undo: {
          label: actions.undo,
          run: () => api.POST('/api/patches/{patchId}/approval', { params: { ...params, query: { productId } } }),
          done: texts.approveDone,
        },
      }),
      refreshes,
    }
  return {
    title: texts.approveTitle,
    label: texts.approve,
    requestKey: ['approve', patchId, productId],
    send: ({ query, headers }) =>
      api.POST('/api/patches/{patchId}/approval', {
        params: { ...params, query: { productId, ...query }, header: headers },
      }),
    confirms: ({ answer }) => answer.reachedComputers,
    describe: ({ answer, computers = 0 }) => texts.approveText(productName, computers, answer.reachedComputers),
    details: ({ answer }) => (
      <Reach isReached={answer.reachedComputers > 0} groups={pmGroups.filter((one) => one.productId === productId)} />
    ),
    done: () => ({
      text: texts.approveDone,
      undo: {
        label: actions.undo,
        run: () => api.DELETE('/api/patches/{patchId}/approval', { params: { ...params, query: { productId } } }),
        done: texts.revokeDone,
      },
    }),
    refreshes,
  }
}

/** How an approval reaches computers: patches come through patch groups only. */
function Reach({ isReached, groups }: { isReached: boolean; groups: PmGroups }) {
  const { patch: texts } = usePatchTexts()
  if (!isReached)
    return (
      <Alert color="orange" title={texts.reachesNobody}>
        {texts.inNoGroup}
      </Alert>
    )
  return (
    <NamedList
      title={texts.throughGroups}
      items={groups.map(({ pmGroupId, pmGroupName }) => ({ id: pmGroupId, text: pmGroupName }))}
    />
  )
}

/** Approves all product versions, and adds the patch to a patch group. */
function ApproveInto({ patchId }: { patchId: number }) {
  const { patch: texts } = usePatchTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={panel.open}>
        {texts.approveInto}
      </Button>
      <ApprovePanel patchIds={[patchId]} isOpen={isOpen} onClose={panel.close} onApproved={() => undefined} />
    </>
  )
}
