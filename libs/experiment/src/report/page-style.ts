import { CHART_CSS, paletteCss } from './charts/palette';

export const PAGE_CSS = `
${paletteCss(':root')}
:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif}
main{max-width:1120px;margin:0 auto;padding:24px 16px 64px}
h1{font-size:28px;line-height:1.2;margin:0 0 8px}
h2{font-size:22px;margin:48px 0 4px;padding-top:8px;border-top:1px solid var(--grid)}
h3{font-size:16px;margin:28px 0 8px}
p{margin:4px 0;max-width:75ch}
.muted{color:var(--muted);font-size:14px}
code{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
nav a{color:var(--upstream);margin-right:16px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px;margin:16px 0}
.card,figure,.table{background:var(--surface);border:1px solid var(--grid);border-radius:8px}
.card{padding:12px 16px}
.card b{display:block;font-size:24px;line-height:1.3;font-variant-numeric:tabular-nums}
.card span{color:var(--muted);font-size:14px}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:12px;margin-bottom:12px}
figure{margin:0;padding:12px;min-width:0}
figcaption{font-weight:600;font-size:15px;margin:0 0 6px}
figcaption span{font-weight:400}
figure svg{display:block;width:100%;height:auto}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin:4px 0 8px;padding:0;list-style:none;font-size:14px;color:var(--muted)}
.legend i{display:inline-block;width:12px;height:12px;border-radius:2px;margin-right:6px;vertical-align:-1px}
.table{overflow-x:auto;margin:8px 0}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px;text-align:right;vertical-align:top;min-width:72px}
th{font-weight:600;border-bottom:1px solid var(--grid)}
th:first-child,td:first-child{text-align:left;position:sticky;left:0;background:var(--surface)}
tbody tr+tr td{border-top:1px solid var(--grid)}
.problems{border:2px solid var(--refused);border-radius:8px;padding:8px 16px;margin:16px 0;background:var(--surface)}
@media (max-width:600px){main{padding:16px 12px 48px}h1{font-size:24px}th,td{padding:6px 8px}.card b{font-size:21px}.cards{grid-template-columns:1fr 1fr}}
${CHART_CSS}
`;
