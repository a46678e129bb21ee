import { it } from 'vitest';
import { selfSigned } from '/work/main/test/support/certificate.js';
import { startService } from '/work/main/test/support/service.js';
import { connect } from 'node:tls';
import { Pool, buildConnector } from 'undici';
it('x', async () => {
  const server = selfSigned();
  const s = await startService({ tls: { ...server, ca: selfSigned('payroll').cert, requestCert: true, rejectUnauthorized: true } });
  await new Promise<void>((r) => {
    const c = connect({ host: '127.0.0.1', port: s.port, ca: server.cert });
    c.on('secureConnect', () => { console.log('secure', c.getProtocol()); c.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}'); });
    c.on('error', (e) => console.log('err', e));
    c.on('close', () => { console.log('close'); r(); });
  });
  const bc = buildConnector({ ca: server.cert }); const p = new Pool(`https://127.0.0.1:${s.port}`, { connect: (o: any, cb: any) => bc(o, (e: any, sock: any) => { if (sock) for (const n of ['end','error','close','_tlsError']) sock.prependListener(n, (x: any) => console.log('ev', n, x?.code)); cb(e, sock); }) as any });
  await p.request({ path: '/', method: 'POST', body: '{}' }).catch((e) => console.log('undici', e, e.cause));
  await s.close();
});
