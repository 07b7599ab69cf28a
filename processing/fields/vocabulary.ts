import { vocabulary } from './words.ts';

// General words of addresses, names and labels, by which misread ones are corrected. No streets, no
// companies.

/** Kinds of streets and areas, the surest words of an address. */
export const AREA_WORDS = vocabulary(
  'jalan lorong taman kampung persiaran lebuh lebuhraya bandar seksyen kawasan perindustrian',
);
/** Kinds of streets, places and buildings. */
export const ADDRESS_WORDS: readonly string[] = [
  ...AREA_WORDS,
  ...vocabulary(`
  perniagaan wisma menara plaza kompleks bangunan tingkat medan pusat desa bukit sungai batu pasir tanjung
  teluk kota pekan mukim daerah baru baharu utama indah jaya permai perdana mahkota damai street road avenue
  boulevard drive lane square highway floor ground level suite building block tower centre center industrial
  estate park garden gardens heights complex mall north south east west strasse platz allee gasse place
  avenida calle
`),
];
/** The states and larger towns of countries whose documents are common. */
export const PLACE_WORDS = vocabulary(`
  malaysia selangor johor bahru penang pulau pinang melaka malacca perak kedah pahang kelantan terengganu
  sabah sarawak negeri sembilan perlis putrajaya labuan kuala lumpur wilayah persekutuan darul ehsan takzim
  ridzuan shah alam petaling subang klang ipoh georgetown seremban kajang cheras puchong ampang rawang
  gombak kepong sepang bangi cyberjaya damansara kelana sentul setapak seri kembangan semenyih skudai masai
  kulai muar segamat kluang pontian butterworth mertajam alor setar petani kinabalu kuching kuantan taiping
  temerloh bentong langkawi miri sibu balakong banting dengkil nilai senai tampin rembau bahau raub jerantut
  kampar sitiawan lumut tapah sandakan tawau bintulu keningau segambut brickfields bangsar sunway bharu
  kangar bayan lepas gelugor tangkak jasin singapore london manchester birmingham bristol leeds glasgow
  edinburgh dublin sydney melbourne brisbane perth york angeles chicago houston toronto vancouver berlin
  hamburg paris madrid barcelona zurich vienna amsterdam jakarta bandung surabaya bangkok manila hongkong
`);
/** Words that occur together in addresses: one that is read well identifies the other. */
export const WORD_PAIRS = `
  kuala lumpur, shah alam, johor bahru, johor baru, petaling jaya, subang jaya, seri kembangan,
  pulau pinang, bukit mertajam, negeri sembilan, darul ehsan, darul takzim, darul ridzuan,
  wilayah persekutuan, sungai petani, alor setar, alor gajah, kota bharu, kota kinabalu, kota damansara,
  batu pahat, batu caves, port dickson, port klang, kuala selangor, kuala terengganu, cameron highlands,
  bayan lepas, ayer keroh, bandar baru, bandar sunway, kawasan perindustrian, kawasan perniagaan,
  pusat perniagaan, pusat bandar, ground floor, first floor, second floor, lower ground, shopping centre,
  shopping mall, west malaysia, off jalan, new york, los angeles, hong kong
`
  .split(',')
  .map(vocabulary);
/** Words of the lines of places that are no places. */
export const BESIDE_PLACE_WORDS = vocabulary(
  'kl kd d.e de d.t dt wp w.p new west east north south usa uk jaya baru baharu',
);

/** Words of the names of businesses. */
export const NAME_WORDS = vocabulary(`
  enterprise enterprises trading company holdings group international industries associates partners
  marketing services management restaurant restoran cafe hotel supermarket hypermarket minimarket market
  stores bakery bakeries pharmacy farmasi clinic klinik kedai pasaraya hardware stationery bookshop gallery
  motors station kitchen electrical electronics optical syarikat perniagaan perusahaan pembekal makanan
  minuman jaya maju
`);
/** Words that say what a business does, and make no name by themselves. */
export const GENERAL_WORDS = vocabulary(`
  enterprise enterprises trading company co holding holdings group international industries industry
  marketing service services management resources supply supplies retail food foods beverage beverages
  restaurant restoran restaurants cafe café bistro bar grill mart market supermarket hypermarket minimarket
  store stores shop bakery confectionery pharmacy farmasi clinic klinik kedai hardware stationery books
  station kitchen electrical electronics optical syarikat perniagaan perusahaan malaysia and the of m global
  express mini super hyper centre center house solutions corporation development distribution distributors
  wholesale
`);
/** Malay names start with the kind of business. */
export const KIND_WORDS = vocabulary(`
  restoran kedai runcit makan makanan kopi kopitiam syarikat perniagaan perusahaan pasaraya pasar mini
  farmasi klinik butik warung gerai
`);

/** Words of the labels of values. */
export const LABEL_WORDS = vocabulary(`
  date day time due issued delivery no nr num number id code ref reference invoice receipt bill order
  document doc page account acct customer client vendor supplier company name address phone tel telephone
  fax email contact department cashier salesperson operator clerk table terminal counter register project
  contract currency terms method total subtotal sub amount amt balance price unit rate qty quantity item
  items description discount tax vat gst sst net gross grand payable of to from by the our your for and per
  datum nummer rechnung rechnungsnummer rechnungsdatum betrag gesamtbetrag summe kunde lieferant firma seite
  steuer netto brutto mwst facture numéro client fournisseur montant échéance tva commande livraison
  référence remarks signature comments notes terms
`);
/** Words of a document's title, or of a message to its reader. */
export const TITLE_WORDS: readonly string[] = [
  ...LABEL_WORDS,
  ...vocabulary(`
  simplified official cash credit debit note sale sales slip memo check guest quotation statement voucher
  ticket queue copy original duplicate reprint reprinted draft void refund merchant halal take away takeaway
  dine in out self pickup welcome thank thanks you please come again open daily resit rasmi invois cukai bil
  tunai jualan salinan asal pelanggan selamat datang terima kasih member payment type pos pump rm reg served
  attended user session shift
`),
];
/** Words of the headings of item tables. */
export const ITEM_WORDS = vocabulary(`
  description item items qty quantity price unit product article particulars artikel menge einzelpreis
  bezeichnung beschreibung harga kuantiti cantidad precio prix qté quantité désignation
`);
