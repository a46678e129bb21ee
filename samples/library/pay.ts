import { submit, type Payout } from 'gigwork';

const payouts: Payout[] = [
  { user_id: 'usr_7f3a92', amount: 1200, title: 'Best rider', cost_center_key: 'PP-7' },
  { user_id: 'usr_55c0d2', amount: 89.9, title: 'Travel November', cost_center_key: 'PP-7' },
];
const options = { sandbox: true, stateDir: 'state', batchId: '2026-11', expectTotal: 1289.9 };
for await (const event of submit('payout', payouts, options)) {
  if (event.event === 'issue') console.error(event.severity, event.message);
  if (event.event === 'record') console.log(event.user_id, event.amount, event.status);
  if (event.event === 'summary' && event.exit_code !== 0) throw new Error(event.reasons.join('. '));
}
